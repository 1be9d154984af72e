import type { Queryable } from '../../../db/client.ts'

/** Some entries and the rows they name. A check of a slice reads only these, by index. */
export type Slice = {
  entries: number[]
  donations: string[]
  transfers: string[]
  milestones: string[]
}

type Row = {
  donationId: string | null
  transferId: string | null
  milestoneId: string | null
}

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

/** SQL that limits a statement to the rows of a slice, or does not limit it without a slice. */
export const among = (
  sql: Queryable,
  column: string,
  slice: Slice | undefined,
  rows: keyof Slice,
) => {
  if (!slice) return sql``
  if (rows === 'entries') return sql`and ${sql(column)} = any(${slice.entries}::bigint[])`
  return sql`and ${sql(column)} = any(${slice[rows]}::uuid[])`
}
