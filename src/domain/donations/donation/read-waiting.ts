import type { Context } from '../../../db/context.ts'
import { type MoneyView, moneyOf } from '../../books/index.ts'

/** Sums the arrived money of a campaign's donations that wait for finality, for each asset. */
export const readWaiting = async (
  ctx: Context,
  campaign: { id: string; chainId: number },
): Promise<MoneyView[]> => {
  const rows = await ctx.sql<{ asset: string; sum: string }[]>`
    select coalesce(confirmed_asset_id, declared_asset_id) as asset,
           sum(confirmed_amount)::text as sum
    from donation
    where chain_id = ${campaign.chainId} and status = 'confirming'
      and campaign_id = ${campaign.id} and confirmed_amount is not null
    group by 1 order by 1`
  return rows.map(({ asset, sum }) => moneyOf(ctx, asset, sum))
}
