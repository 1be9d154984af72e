import type postgres from 'postgres'
import { withEveryTable } from './table-locks.ts'

/**
 * Moves restored events to the beginning of the feed, in their order, if the transaction numbers of
 * their old cluster lie ahead of this one's: those would hide them and put new events before them.
 * Cursors ahead are refused. Costs one index look-up if there is no such event.
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
