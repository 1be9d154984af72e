import type { Context } from '../../../db/context.ts'
import { type MoneyView, moneyOf } from './money-of.ts'

/** The credits of all campaigns of a currency. `paidBack` is the part that escrows paid back. */
export type ProvenTotal = {
  proven: MoneyView
  paidBack: MoneyView
  donations: number
  campaigns: number
}

/** Sums the stored totals of all campaigns with donations, for each currency. */
export const readProvenTotals = async (ctx: Context): Promise<ProvenTotal[]> => {
  const rows = await ctx.sql<
    { currencyId: string; proven: string; refunded: string; donations: number; campaigns: number }[]
  >`
    select currency_id, sum(raised + refunded)::text as proven, sum(refunded)::text as refunded,
           sum(donations)::bigint as donations, count(*) as campaigns
    from campaign_total total join campaign on campaign.id = total.campaign_id
    where total.donations > 0
    group by currency_id order by sum(donations) desc, currency_id`
  return rows.map(({ currencyId, proven, refunded, donations, campaigns }) => ({
    proven: moneyOf(ctx, currencyId, proven),
    paidBack: moneyOf(ctx, currencyId, refunded),
    donations,
    campaigns,
  }))
}
