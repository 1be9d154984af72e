import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { StartError } from '../kernel/errors.ts'

const LOCK_NOT_AVAILABLE = '55P03'
/** The largest number of tries. All tries together take about six minutes. */
const MAX_TRIES = 60
const PAUSE_MS = 1_000

/**
 * Runs `work` in a transaction with locks on all tables and views of the service. Running processes
 * wait for the end of `work`, and never see a partial state.
 *
 * @throws StartError if another session locks a table in each of the `maxTries` tries
 */
export const withEveryTable = async (
  sql: postgres.Sql,
  work: (sql: postgres.TransactionSql) => Promise<void>,
  maxTries = MAX_TRIES,
): Promise<void> => {
  let inUse = ''
  for (let tries = 0; tries < maxTries; tries++) {
    if (tries > 0) await delay(PAUSE_MS)
    try {
      await sql.begin(async (sql) => {
        await sql`select set_config('fundproof.locked_first', ${inUse}, true)`
        await sql.unsafe(LOCK_EVERY_TABLE)
        await work(sql)
      })
      return
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || error.code !== LOCK_NOT_AVAILABLE) {
        throw error
      }
      inUse = error.table_name ?? inUse
    }
  }
  throw new StartError(
    `The table ${inUse} stays in use: end the sessions that lock it (pg_locks, pg_stat_activity), ` +
      'then run `npm run migrate` again.',
  )
}

/**
 * Waits at most 5 s for the lock on the first table. In this time, PostgreSQL cancels an autovacuum
 * of this table. Then locks the other tables quickly, or releases all locks, because a long wait
 * could become a deadlock. The next try starts with the table that was in use.
 */
const LOCK_EVERY_TABLE = `
DO $$
DECLARE
  wanted text;
  deadline timestamptz;
  remaining_ms integer := 5000;
BEGIN
  FOR wanted IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
    ORDER BY relname <> current_setting('fundproof.locked_first'), relname
  LOOP
    PERFORM set_config('lock_timeout', greatest(remaining_ms, 1)::text, true);
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', wanted);
    deadline := coalesce(deadline, clock_timestamp() + (
      SELECT setting::integer / 2 * interval '1 ms' FROM pg_settings
      WHERE name = 'deadlock_timeout'));
    remaining_ms := 1000 * extract(epoch FROM deadline - clock_timestamp());
  END LOOP;
EXCEPTION WHEN lock_not_available THEN
  RAISE EXCEPTION 'the table % is in use', wanted
    USING ERRCODE = 'lock_not_available', TABLE = wanted;
END
$$`
