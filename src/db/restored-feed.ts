import type postgres from 'postgres'
import { withEveryTable } from './table-locks.ts'

/**
 * Repairs the feed of a restored database: its events may have higher transaction ids than this
 * cluster, so the feed would hide them and show new events first. Moves them to the beginning of
 * the feed, in their order. Costs one index look-up if there are no such events.
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
