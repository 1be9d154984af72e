import { asBaseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { Credit } from '../ledger/index.ts'
import { type Converted, convertTransfer, type StoredPrices } from '../price/index.ts'

/** A donation in a final block, with the transfer that it claims (null: it brought nothing). */
export type FinalRow = {
  id: string
  user_id: string | null
  campaign_id: string
  tx_hash: string
  request_id: string | null
  trace_parent: string | null
  reason: string
  block_number: number
  declared_asset_id: string
  declared_amount: string
  transfer_id: string | null
  asset_id: string | null
  amount: string | null
  generation: number | null
  block_hash: string | null
  mined_at: Date | null
  currency_id: string
  creator_id: string
}

/** A credit with the price behind it. */
export type PricedCredit = Credit & Pick<Converted, 'price' | 'source'>

/**
 * What a final transfer counts for in the campaign's currency. Undefined where no price says, where
 * an asset is configured no more, or where it comes to more than an amount can hold: the donation
 * then waits, nothing is guessed, and the others of its batch are settled.
 */
export const toCredit = (
  ctx: Context,
  row: FinalRow,
  stored: StoredPrices,
): PricedCredit | undefined => {
  if (
    row.transfer_id === null ||
    row.asset_id === null ||
    row.amount === null ||
    row.block_hash === null ||
    row.mined_at === null
  ) {
    return undefined
  }
  if (!ctx.settings.assets.all.some((asset) => asset.id === row.declared_asset_id)) return undefined
  const arrived = {
    assetId: row.asset_id,
    currencyId: row.currency_id,
    amount: asBaseUnits(row.amount),
    blockHash: row.block_hash,
    minedAt: row.mined_at,
  }
  const converted = convertTransfer(ctx, stored, arrived)
  return (
    converted && {
      ...arrived,
      ...converted,
      donationId: row.id,
      campaignId: row.campaign_id,
      creatorId: row.creator_id,
      transferId: row.transfer_id,
      generation: row.generation ?? 0,
      blockNumber: row.block_number,
    }
  )
}
