import type { Context } from '../context.ts'

const BATCH = 5_000

/** Removes answers that are no longer replayed. Returns how many. */
export const pruneIdempotencyKeys = async (ctx: Context): Promise<number> => {
  const deleted = await ctx.sql`
    delete from idempotency_key where (caller, key) in (
      select caller, key from idempotency_key where expires_at < ${ctx.clock.now()} limit ${BATCH})`
  return deleted.count
}
