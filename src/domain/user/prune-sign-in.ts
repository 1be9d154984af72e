import type { Context } from '../context.ts'

const BATCH = 1_000
/** Codes are counted over a day, so they are kept for a little longer. */
const KEEP_MS = 2 * 24 * 60 * 60_000

/**
 * Removes what signing in has left behind: expired sessions, codes and challenges. Returns how many
 * rows.
 */
export const pruneSignIn = async (ctx: Context): Promise<number> => {
  const before = new Date(ctx.clock.now().getTime() - KEEP_MS)
  const sessions = await ctx.sql`
    delete from session where id in (
      select id from session where expires_at < ${before} limit ${BATCH})`
  const codes = await ctx.sql`
    delete from email_code where id in (
      select id from email_code where created_at < ${before} limit ${BATCH})`
  const challenges = await ctx.sql`
    delete from signature_challenge where nonce in (
      select nonce from signature_challenge where expires_at < ${before} limit ${BATCH})`
  return sessions.count + codes.count + challenges.count
}
