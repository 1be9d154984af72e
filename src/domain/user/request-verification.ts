import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { sendCode, VERIFY_EMAIL } from './send-code.ts'

/** A minute between two codes, and few enough a day that guessing at each of them stays hopeless. */
const RESEND_PAUSE_MS = 60_000
const CODES_PER_DAY = 10
const DAY_MS = 24 * 60 * 60_000

/**
 * Mails a code to an address that is registered and not verified yet, and does nothing for any
 * other, or too soon after the last. The caller cannot tell which.
 */
export const requestVerification = (
  ctx: Context,
  credentials: Credentials,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const [user] = await ctx.sql<{ id: string; email: string; lang: string }[]>`
      select id, email, lang from app_user
      where email = ${email} and email_verified_at is null
      for update`
    if (!user) return
    const [sent] = await ctx.sql<{ today: number; recent: number }[]>`
      select count(*) as today,
             count(*) filter (where created_at > ${new Date(now.getTime() - RESEND_PAUSE_MS)}) as recent
      from email_code
      where user_id = ${user.id} and purpose = ${VERIFY_EMAIL}
        and created_at > ${new Date(now.getTime() - DAY_MS)}`
    if (!sent || sent.recent > 0 || sent.today >= CODES_PER_DAY) return
    await sendCode(ctx, credentials, user)
  })
