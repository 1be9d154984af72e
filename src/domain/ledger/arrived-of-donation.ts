import type { Queryable } from '../../db/client.ts'

/** The amount of a credit, in the asset that arrived. */
export type Arrived = readonly [assetId: string, units: string]

/**
 * SQL for the column `arrived`: the newest credit of a row in `donation`, even if it was reversed.
 * A join would read the ledger for all donations, not only for the donations of a page. The OFFSET
 * makes the planner use the index on `donation_id`, for a ledger of any size.
 */
export const arrivedOfDonation = (sql: Queryable) => sql`(
  select array[entry.asset_id, entry.amount::text]
  from (select * from ledger_entry where donation_id = donation.id offset 0) entry
  where entry.kind = 'donation'
  order by entry.id desc limit 1
) as arrived`
