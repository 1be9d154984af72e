import type { Queryable } from '../../../../db/client.ts'
import type { LedgerEntry } from '../../../../db/schema/ledger.ts'
import type { Difference } from '../../../shared/index.ts'
import { among, type Slice } from '../../ranges/slice.ts'

type Row = Pick<LedgerEntry, 'donationId' | 'transferId' | 'milestoneId'>

/** Checks all rows, or only the rows in `slice`. Each statement returns at most `most` rows. */
export type Check = (sql: Queryable, most: number, slice?: Slice) => PromiseLike<Difference[]>

/** The given entries, and their donations, transfers and milestones. */
export const readSlice = async (sql: Queryable, entries: readonly number[]): Promise<Slice> => {
  const rows = await sql<Row[]>`
    select donation_id, transfer_id, milestone_id from ledger_entry
    where id = any(${entries as number[]}::bigint[])`
  const named = (column: keyof Row) => [...new Set(rows.flatMap((row) => row[column] ?? []))]
  return {
    entries: [...entries],
    donations: named('donationId'),
    transfers: named('transferId'),
    milestones: named('milestoneId'),
  }
}

/**
 * SQL for the columns of a Difference. The query must have a table `table` with a column `id`, and
 * a subquery `differing` with the columns `what`, `stored` and `recomputed`. UNION ALL in this
 * subquery makes the check of a donation twice as fast as VALUES, which is prepared for each row.
 */
export const differenceOf = (sql: Queryable, noun: string, table = noun) => sql`
  differing.what || ${` of ${noun}`} as what, ${sql(table)}.id::text as id,
  coalesce(differing.stored, 'none') as stored,
  coalesce(differing.recomputed, 'none') as recomputed`

/** Collects at most `most` differences that `compare` finds in the rows. */
export const compareRows = async <Row>(
  portions: AsyncIterable<Row[]>,
  most: number,
  compare: (row: Row) => Difference[],
): Promise<Difference[]> => {
  const differences: Difference[] = []
  for await (const rows of portions) {
    for (const row of rows) if (differences.length < most) differences.push(...compare(row))
  }
  return differences.slice(0, most)
}

/** SQL for the entries that no other entry reverses, in the whole ledger or in a slice. */
export const standingEntries = (sql: Queryable, slice?: Slice) => sql`
  select entry.* from standing_entry entry
  where entry.kind <> 'reversal' ${among(sql, 'entry.id', slice, 'entries')}`

/** A transaction commits at most this many minutes after the times that it stores in its rows. */
export const LATE_COMMIT_MINUTES = 10
