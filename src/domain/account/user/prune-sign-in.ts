import type { Context } from '../../../db/context.ts'

const BATCH = 1_000
/** Mailed codes stay longer than a day, because a limit counts the codes of the last 24 hours. */
const KEEP_MS = 2 * 24 * 60 * 60_000

/** Removes old sessions, mailed codes and challenges. Returns the number of removed rows. */
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
