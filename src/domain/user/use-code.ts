import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import type { CodePurpose } from './send-code.ts'

/**
 * Uses a mailed code up and gives the user that it went to; null for a wrong code, one that has
 * expired or was used, and an unknown address. A wrong guess costs a try, so the caller's
 * transaction has to commit whatever the result. Guesses queue up at the row: five at once are five
 * tries, not one.
 */
export const useCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  input: { email: string; code: string },
): Promise<{ userId: string } | null> => {
  const now = ctx.clock.now()
  const [code] = await ctx.sql<{ id: string; user_id: string; code_hash: string }[]>`
    select email_code.id, email_code.user_id, email_code.code_hash
    from email_code join app_user on app_user.id = email_code.user_id
    where app_user.email = ${input.email} and email_code.purpose = ${purpose}
      and email_code.used_at is null and email_code.expires_at > ${now}
      and email_code.attempts_left > 0
    order by email_code.created_at desc limit 1
    for update of email_code`
  if (!code) return null
  if (!isSame(code.code_hash, credentials.hashCode(code.user_id, input.code))) {
    await ctx.sql`
      update email_code set attempts_left = attempts_left - 1 where id = ${code.id}`
    return null
  }
  await ctx.sql`update email_code set used_at = ${now} where id = ${code.id}`
  return { userId: code.user_id }
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
