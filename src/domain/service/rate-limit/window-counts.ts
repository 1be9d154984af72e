import type { Context } from '../../../db/context.ts'
import type { RateLimit } from '../../../db/schema/access.ts'

/** One statement removes at most this many rows. A row counts one caller in one window. */
const BATCH = 10_000
/** A count is removed this long after its window has started. No window is longer than one hour. */
const KEEP_MS = 2 * 3_600_000

/**
 * Adds this process's counts to the database in one statement. `counted` has at most one row for
 * each key and window.
 *
 * @returns the counts of all processes for these keys, in any order
 */
export const addCounts = async (
  { sql }: Pick<Context, 'sql'>,
  counted: readonly RateLimit[],
): Promise<RateLimit[]> => {
  const rows = counted.map(({ key, windowStart, taken }) => ({ key, windowStart, taken }))
  return sql<RateLimit[]>`
    insert into rate_limit as shared (key, window_start, taken)
    select key, "windowStart", taken
    from jsonb_to_recordset(${sql.json(rows)}) as row (key text, "windowStart" bigint, taken int)
    -- In one order everywhere, so that two statements never wait for each other's rows.
    order by key, "windowStart"
    on conflict (key, window_start) do update set taken = shared.taken + excluded.taken
    returning key, window_start, taken`
}

/** Removes windows that started more than KEEP_MS ago. Returns the number of removed rows. */
export const pruneRateLimits = async ({ sql, clock }: Context): Promise<number> => {
  const before = clock.now().getTime() - KEEP_MS
  const removed = await sql`
    delete from rate_limit where (key, window_start) in (
      select key, window_start from rate_limit where window_start < ${before} limit ${BATCH})`
  return removed.count
}
