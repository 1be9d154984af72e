import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { EmailCode } from '../../../db/schema/users.ts'
import type { Credentials } from './credentials.ts'
import { type CodePurpose, type CodeReceiver, ownerOf } from './send-code.ts'

/**
 * Uses a mailed code and ends the user's other codes of this purpose. Returns the user's id, or
 * null if the address is unknown or the code is wrong, expired or used. A wrong guess reduces the
 * stored number of tries, so the caller's transaction must commit.
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

/** Like `useCode`, for a user whose row is locked. Returns whether the code was valid. */
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
  if (!codes.some(({ codeHash }) => given.some((hash) => isSame(codeHash, hash)))) {
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
