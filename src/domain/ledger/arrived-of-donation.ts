import type { Queryable } from '../../db/client.ts'

/** The amount of a credit, in the asset that arrived. */
export type Arrived = readonly [assetId: string, units: string]

/**
 * SQL for a column of a table named `donation`: the donation's newest credit, even if reversed. Not
 * a join, because a join reads the ledger for all donations before the page is cut. The OFFSET
 * makes the planner use the index by donation, for a ledger of any size.
 */
export const arrivedOfDonation = (sql: Queryable) => sql`(
  select array[entry.asset_id, entry.amount::text]
  from (select * from ledger_entry where donation_id = donation.id offset 0) entry
  where entry.kind = 'donation'
  order by entry.id desc limit 1
) as arrived`
