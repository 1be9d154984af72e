import type { Queryable } from '../../db/client.ts'

/** What a credit booked, in the asset that arrived. */
export type Arrived = readonly [assetId: string, units: string]

/**
 * A column after a table named `donation`: its newest credit, also where that was reversed since.
 * A column is read for the rows of a page only, a join for all that are sorted. The OFFSET keeps it
 * one look-up in the index by donation, however large the ledger is.
 */
export const arrivedOfDonation = (sql: Queryable) => sql`(
  select array[entry.asset_id, entry.amount::text]
  from (select * from ledger_entry where donation_id = donation.id offset 0) entry
  where entry.kind = 'donation'
  order by entry.id desc limit 1
) as arrived`
