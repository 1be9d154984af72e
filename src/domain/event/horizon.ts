import type { Part, Queryable } from '../../db/client.ts'

/**
 * The lowest transaction that may still write an event, sessions on other databases left out. All
 * lower ones have ended, and the statement sees their events. It may be too low for a moment, never
 * too high, because a transaction that ended since the snapshot still counts.
 */
export const horizonOf = (sql: Queryable): Part => sql`(
  select coalesce(min(running.tx), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as running (tx)
  where not exists (
    select from pg_stat_get_activity(null) session
    where session.backend_xid = running.tx::xid
      and session.datid <> (select oid from pg_database where datname = current_database())))`
