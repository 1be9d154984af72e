import { asBaseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { Credit } from '../ledger/index.ts'
import { type Converted, convertTransfer, type StoredPrices } from '../price/index.ts'

/** A donation in a final block, with the transfer that it claims (null: it brought nothing). */
export type FinalRow = {
  id: string
  userId: string | null
  campaignId: string
  txHash: string
  requestId: string | null
  traceParent: string | null
  reason: string
  blockNumber: number
  declaredAssetId: string
  declaredAmount: string
  transferId: string | null
  assetId: string | null
  amount: string | null
  generation: number | null
  blockHash: string | null
  minedAt: Date | null
  currencyId: string
  creatorId: string
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
    row.transferId === null ||
    row.assetId === null ||
    row.amount === null ||
    row.blockHash === null ||
    row.minedAt === null
  ) {
    return undefined
  }
  if (!ctx.settings.assets.all.some((asset) => asset.id === row.declaredAssetId)) return undefined
  const arrived = {
    assetId: row.assetId,
    currencyId: row.currencyId,
    amount: asBaseUnits(row.amount),
    blockHash: row.blockHash,
    minedAt: row.minedAt,
  }
  const converted = convertTransfer(ctx, stored, arrived)
  return (
    converted && {
      ...arrived,
      ...converted,
      donationId: row.id,
      campaignId: row.campaignId,
      creatorId: row.creatorId,
      transferId: row.transferId,
      generation: row.generation ?? 0,
      blockNumber: row.blockNumber,
    }
  )
}
