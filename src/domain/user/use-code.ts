import { timingSafeEqual } from 'node:crypto'
import type { EmailCode } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { type CodePurpose, type CodeReceiver, ownerOf } from './send-code.ts'

/**
 * Uses up a mailed code, and with it all others of its purpose; returns the id of its user. Null
 * for a wrong, expired or used code, and for an unknown address. A wrong guess costs a try of each
 * code, so the caller's transaction has to commit. Guesses queue up at the user.
 */
export const useCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  { email, code }: { email: string; code: string },
): Promise<string | null> => {
  const [user] = await ctx.sql<{ id: string }[]>`
    select id from app_user where email = ${email} for update`
  if (!user) return null
  const used = await useCodeOf(ctx, credentials, purpose, { id: user.id, email }, code)
  return used ? user.id : null
}

/** The same for a user that the caller's transaction has locked. */
export const useCodeOf = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  user: Pick<CodeReceiver, 'id' | 'email'>,
  code: string,
): Promise<boolean> => {
  const now = ctx.clock.now()
  const codes = await ctx.sql<Pick<EmailCode, 'id' | 'codeHash'>[]>`
    select id, code_hash from email_code
    where user_id = ${user.id} and purpose = ${purpose}
      and used_at is null and expires_at > ${now} and attempts_left > 0`
  const given = credentials.hashCode(ownerOf(user), code)
  if (!codes.some(({ codeHash }) => isSame(codeHash, given))) {
    await ctx.sql`
      update email_code set attempts_left = attempts_left - 1
      where id = any(${codes.map(({ id }) => id)}::uuid[])`
    return false
  }
  await ctx.sql`
    update email_code set used_at = ${now}
    where user_id = ${user.id} and purpose = ${purpose} and used_at is null`
  return true
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
