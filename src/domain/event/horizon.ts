import type { Part, Queryable } from '../../db/client.ts'

/**
 * The first transaction that may still write an event: everything below it has ended, and the
 * statement sees it. Of the transactions that run at the statement's snapshot, it leaves out those
 * of sessions on other databases of the cluster: they can write no event here. A transaction that
 * has ended since the snapshot has no session any more and counts, so the answer may be too low for
 * a moment, and never too high.
 */
export const horizonOf = (sql: Queryable): Part => sql`(
  select coalesce(min(running.tx), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as running (tx)
  where not exists (
    select from pg_stat_get_activity(null) session
    where session.backend_xid = running.tx::xid
      and session.datid <> (select oid from pg_database where datname = current_database())))`
