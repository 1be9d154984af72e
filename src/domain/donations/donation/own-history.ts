import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { CREDITED_STATUSES } from '../../../kernel/statuses.ts'
import { type MoneyView, moneyOf } from '../../books/index.ts'
import { type Keyset, readOn, requireUser } from '../../shared/index.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { type DonationRow, selectDonation } from './rows.ts'

/**
 * Sums of credited donations, for each currency. `given` is in the assets that were paid. The other
 * sums are in the currencies of the campaigns. `counts` is the credit without the refunds.
 */
export type HistoryTotals = Record<'given' | 'refunded' | 'counts', MoneyView[]>

/** The totals of each year with a donation, newest first. The last, with null, are of all years. */
export type History = { year: number | null; totals: HistoryTotals }[]

/** SQL for tables named `donation` and `transfer`: when a donation was paid, or else recorded. */
const paidAt = (sql: Queryable) => sql`coalesce(transfer.mined_at, donation.created_at)`

/**
 * Reads the caller's donations, newest payment first. With `year`, only those of this year in UTC.
 * Sorts all donations of the caller, because no index has the times of their blocks.
 *
 * @throws DomainError `unauthenticated` if no user is signed in
 */
export const readOwnDonations = (
  ctx: Context,
  { year, ...position }: { year: number | null; after?: Keyset | undefined; limit: number },
): Promise<{ items: DonationView[]; next: Keyset | null }> => {
  const { sql } = ctx
  const ofYear = sql`
    and ${paidAt(sql)} >= make_timestamptz(${year}::int, 1, 1, 0, 0, 0, 'UTC')
    and ${paidAt(sql)} < make_timestamptz(${year}::int + 1, 1, 1, 0, 0, 0, 'UTC')`
  return readOn(ctx, position, {
    chosen: sql`
      select donation.id, ${paidAt(sql)} as at
      from donation left join chain_transfer transfer on transfer.id = donation.transfer_id
      where user_id = ${requireUser(ctx).userId} ${year === null ? sql`` : ofYear}`,
    rowsOf: (ids) =>
      sql<DonationRow[]>`${selectDonation(sql)} where donation.id = any(${ids}::uuid[])`,
    toItem: (row) => toDonationView(ctx, row),
  })
}

/**
 * Sums the caller's donations by year in UTC and by currency.
 *
 * @throws DomainError `unauthenticated` if no user is signed in
 */
export const readOwnHistory = async (ctx: Context): Promise<History> => {
  const { sql } = ctx
  const rows = await sql<
    { year: number | null; what: keyof HistoryTotals | null; assetId: string; units: string }[]
  >`
    with own as (
      select extract(year from ${paidAt(sql)} at time zone 'utc')::int as year,
             donation.status = any(${[...CREDITED_STATUSES]}) as is_credited, transfer.asset_id,
             transfer.amount, campaign.currency_id, credited_amount,
             coalesce(refunded_amount, 0) as refunded
      from donation
      join campaign on campaign.id = donation.campaign_id
      left join chain_transfer transfer on transfer.id = donation.transfer_id
      where user_id = ${requireUser(ctx).userId}
    ), part as (
      select year, null as what, null as asset_id, 0 as units from own
      union all select year, 'given', asset_id, amount from own where is_credited
      union all select year, 'refunded', currency_id, refunded from own where is_credited
      union all
      select year, 'counts', currency_id, credited_amount - refunded from own where is_credited
    )
    select year, what, asset_id, sum(units)::text as units from part
    group by grouping sets ((year, what, asset_id), (what, asset_id))
    having what is null or sum(units) > 0
    order by year desc nulls last, asset_id`
  return [...Map.groupBy(rows, ({ year }) => year)].map(([year, ofYear]) => {
    const of = (what: keyof HistoryTotals) =>
      ofYear.filter((row) => row.what === what).map((row) => moneyOf(ctx, row.assetId, row.units))
    return { year, totals: { given: of('given'), refunded: of('refunded'), counts: of('counts') } }
  })
}
