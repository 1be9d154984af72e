import { asBaseUnits, formatUnits, MAX_BASE_UNITS } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { Credit } from '../ledger/index.ts'

/** A donation in a final block, with the transfer that it claims (null: it brought nothing). */
export type FinalRow = {
  id: string
  user_id: string
  campaign_id: string
  tx_hash: string
  request_id: string | null
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

/**
 * What a final transfer counts for in the campaign's currency. Undefined where no price says, where
 * an asset is configured no more, or where it comes to more than an amount can hold: the donation
 * then waits, nothing is guessed, and the others of its batch are settled.
 */
export const toCredit = (ctx: Context, row: FinalRow): Credit | undefined => {
  if (
    row.transfer_id === null ||
    row.asset_id === null ||
    row.amount === null ||
    row.mined_at === null
  ) {
    return undefined
  }
  const { assets } = ctx.settings
  const needed = [row.asset_id, row.currency_id, row.declared_asset_id]
  if (!needed.every((id) => assets.all.some((asset) => asset.id === id))) return undefined
  const amount = asBaseUnits(row.amount)
  const credited = assets.convert(amount, assets.byId(row.asset_id), assets.byId(row.currency_id))
  if (credited === undefined || credited > MAX_BASE_UNITS) return undefined
  return {
    donationId: row.id,
    campaignId: row.campaign_id,
    creatorId: row.creator_id,
    transferId: row.transfer_id,
    generation: row.generation ?? 0,
    assetId: row.asset_id,
    amount,
    currencyId: row.currency_id,
    credited,
    blockNumber: row.block_number,
    blockHash: row.block_hash ?? '',
    minedAt: row.mined_at,
  }
}

/** The price that a credit was converted at, as a decimal text; null where nothing was converted. */
export const priceOf = (ctx: Context, credit: Credit): string | null => {
  if (credit.assetId === credit.currencyId) return null
  const { assets } = ctx.settings
  const price = assets.price(assets.byId(credit.assetId), assets.byId(credit.currencyId))
  return price ? formatUnits(price.numerator, price.scale) : null
}
