import type { Queryable } from '../../../db/client.ts'

/** The asset of a credited transfer, and the transfer's amount in base units. */
export type Arrived = readonly [assetId: string, units: string]

/**
 * SQL for a column `arrived` in a query on `donation`: the asset and amount of the newest credit,
 * even if it was reversed. A join would read the whole ledger, and not only the rows of one page.
 * `offset 0` makes PostgreSQL use the index on `donation_id` even for a large ledger.
 */
export const arrivedOfDonation = (sql: Queryable) => sql`(
  select array[entry.asset_id, entry.amount::text]
  from (select * from ledger_entry where donation_id = donation.id offset 0) entry
  where entry.kind = 'donation'
  order by entry.id desc limit 1
) as arrived`
