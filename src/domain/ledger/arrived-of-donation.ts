import type { Queryable } from '../../db/client.ts'

/** The amount of a credit, in the asset that arrived. */
export type Arrived = readonly [assetId: string, units: string]

/**
 * SQL for a column after a table named `donation`: its newest credit, even if reversed. Not a join,
 * because a join reads the ledger for all sorted rows and not only for those of a page. The OFFSET
 * makes the planner use the index by donation, however large the ledger is.
 */
export const arrivedOfDonation = (sql: Queryable) => sql`(
  select array[entry.asset_id, entry.amount::text]
  from (select * from ledger_entry where donation_id = donation.id offset 0) entry
  where entry.kind = 'donation'
  order by entry.id desc limit 1
) as arrived`
