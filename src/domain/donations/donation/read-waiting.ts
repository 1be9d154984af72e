import type { Context } from '../../../db/context.ts'
import { type MoneyView, moneyOf } from '../../books/index.ts'

/** Sums the arrived money of a campaign's donations that wait for finality, for each asset. */
export const readWaiting = async (
  ctx: Context,
  campaign: { id: string; chainId: number },
): Promise<MoneyView[]> => {
  const rows = await ctx.sql<{ asset: string; sum: string }[]>`
    select asset_id as asset, sum(amount)::text as sum
    from donation join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.chain_id = ${campaign.chainId} and status = 'confirming'
      and campaign_id = ${campaign.id}
    group by 1 order by 1`
  return rows.map(({ asset, sum }) => moneyOf(ctx, asset, sum))
}
