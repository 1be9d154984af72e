import type postgres from 'postgres'
import { withEveryTable } from './table-locks.ts'

/**
 * Events carry the number of the transaction that wrote them. After a dump was restored into a
 * younger cluster those numbers lie in its future: the feed would hold them back, and tell new
 * events before them. They are put at the feed's beginning, in their order; cursors of that future
 * are refused, so that a reader notices. Costs one look at an index where there is nothing to do.
 */
export const mendRestoredFeed = async (sql: postgres.Sql, maxTries?: number): Promise<void> => {
  const [ahead] = await sql`
    select from event where tx >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`
  if (!ahead) return
  const mend = async (sql: postgres.TransactionSql): Promise<void> => {
    await sql`
      update event set tx = '1' where tx >= pg_snapshot_xmax(pg_current_snapshot())`
    await sql`
      update event_audience set tx = '1' where tx >= pg_snapshot_xmax(pg_current_snapshot())`
  }
  await withEveryTable(sql, mend, maxTries)
}
