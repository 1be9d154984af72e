import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import type { Credentials } from './credentials.ts'

export const VERIFY_EMAIL = 'verify_email'
export const CODE_TTL_MINUTES = 10
export const CODE_TRIES = 5

/**
 * Mails a fresh code; older ones end with it. Part of the caller's transaction, in which the
 * user's row is locked or new.
 */
export const sendCode = async (
  ctx: Context,
  credentials: Credentials,
  user: { id: string; email: string; lang: string },
): Promise<void> => {
  const now = ctx.clock.now()
  const code = credentials.newCode()
  await ctx.sql`
    with ended as (
      update email_code set used_at = ${now}
      where user_id = ${user.id} and purpose = ${VERIFY_EMAIL} and used_at is null
    )
    insert into email_code (id, user_id, purpose, code_hash, attempts_left, expires_at, created_at)
    values (${newId(now.getTime())}, ${user.id}, ${VERIFY_EMAIL},
            ${credentials.hashCode(user.id, code)}, ${CODE_TRIES},
            ${new Date(now.getTime() + CODE_TTL_MINUTES * 60_000)}, ${now})`
  await queueMail(ctx, {
    to: user.email,
    lang: user.lang,
    template: VERIFY_EMAIL,
    values: { code, minutes: CODE_TTL_MINUTES },
  })
}
