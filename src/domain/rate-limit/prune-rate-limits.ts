import type { Context } from '../context.ts'

/** Rows are small and many, one for each caller and window. */
const BATCH = 10_000
/** Twice the longest window. */
const KEEP_MS = 30 * 60_000

/** Removes windows that are over. Returns how many. */
export const pruneRateLimits = async (ctx: Context): Promise<number> => {
  const before = ctx.clock.now().getTime() - KEEP_MS
  const removed = await ctx.sql`
    delete from rate_limit where (key, window_start) in (
      select key, window_start from rate_limit where window_start < ${before} limit ${BATCH})`
  return removed.count
}
