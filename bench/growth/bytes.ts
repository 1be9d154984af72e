import type { Queryable } from '../../src/db/client.ts'

/** The bytes of a table or an index for each donation. */
export type Size = { table: string; index: string | null; bytes: number }

/** The tables whose rows end: after 90 days, after a year, or when they have expired. */
const ENDING = [
  'event',
  'event_audience',
  'unrelayed_event',
  'webhook_delivery',
  'notification',
  'mail',
  'idempotency_key',
  'chain_block',
]
const PROOFS = ['donation_proof']

/** The sums of the bytes that stay for ever, of those that end, and of the proofs. */
export const sumsOf = (sizes: readonly Size[]): { stays: number; ends: number; proofs: number } => {
  const sum = (chosen: (table: string) => boolean) =>
    sizes.reduce((all, { table, bytes }) => (chosen(table) ? all + bytes : all), 0)
  return {
    stays: sum((table) => !ENDING.includes(table) && !PROOFS.includes(table)),
    ends: sum((table) => ENDING.includes(table)),
    proofs: sum((table) => PROOFS.includes(table)),
  }
}

/** Smaller tables and indexes do not grow with the donations. */
const LEAST_BYTES = 5

/** Measures all tables and indexes that grow with the donations. The largest table comes first. */
export const measureSizes = async (sql: Queryable): Promise<Size[]> => {
  const sizes = await sql<Size[]>`
    with donations as (select count(*)::float as count from donation), size as (
      select relname as table, null as index, pg_table_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
      union all
      select relname, indexrelname, pg_relation_size(indexrelid) from pg_stat_user_indexes
      where schemaname = 'public'
    )
    select size.table, size.index, size.bytes / donations.count as bytes
    from size, donations
    where size.bytes > ${LEAST_BYTES} * donations.count
    order by sum(size.bytes) over (partition by size.table) desc, size.table,
      size.index nulls first, size.bytes desc`
  return [...sizes]
}

/** The bytes of write-ahead log that `work` writes. */
export const measureWal = async (sql: Queryable, work: () => Promise<unknown>): Promise<number> => {
  const [before] = await sql<{ at: string }[]>`select pg_current_wal_lsn()::text as at`
  await work()
  const [row] = await sql<{ bytes: string }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), ${before?.at ?? ''}::pg_lsn)::text as bytes`
  return Number(row?.bytes)
}
