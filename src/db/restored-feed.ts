import type postgres from 'postgres'
import { withEveryTable } from './table-locks.ts'

/**
 * Repairs the event feed after a restore into another database cluster. The feed hides events whose
 * transaction ids this cluster has not reached yet. Moves these events to the beginning of the
 * feed, in their order.
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
