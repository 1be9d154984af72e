import { timingSafeEqual } from 'node:crypto'
import { withTransaction } from '../../db/transaction.ts'
import { emit } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { VERIFY_EMAIL } from './send-code.ts'

/**
 * Verifies an address with the code that was mailed to it, once, and emits `user.verified`.
 * False for a wrong code, one that has expired or was used, and an unknown address. A wrong guess
 * costs a try whatever becomes of the request, so it is answered and not thrown.
 */
export const verifyEmail = (
  ctx: Context,
  credentials: Credentials,
  input: { email: string; code: string },
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    // Guesses queue up at the row: five at once are five tries, not one.
    const [code] = await ctx.sql<{ id: string; user_id: string; code_hash: string }[]>`
      select email_code.id, email_code.user_id, email_code.code_hash
      from email_code join app_user on app_user.id = email_code.user_id
      where app_user.email = ${input.email} and email_code.purpose = ${VERIFY_EMAIL}
        and email_code.used_at is null and email_code.expires_at > ${now}
        and email_code.attempts_left > 0
      order by email_code.created_at desc limit 1
      for update of email_code`
    if (!code) return false
    if (!isSame(code.code_hash, credentials.hashCode(code.user_id, input.code))) {
      await ctx.sql`
        update email_code set attempts_left = attempts_left - 1 where id = ${code.id}`
      return false
    }
    await ctx.sql`
      with used as (update email_code set used_at = ${now} where id = ${code.id})
      update app_user set email_verified_at = ${now} where id = ${code.user_id}`
    await emit(ctx, [
      {
        type: 'user.verified',
        data: { userId: code.user_id, verifiedAt: now.toISOString() },
        audience: [code.user_id],
        campaignId: null,
      },
    ])
    return true
  })

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
