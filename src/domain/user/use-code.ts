import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { type CodePurpose, type CodeReceiver, ownerOf } from './send-code.ts'

/**
 * Uses a mailed code up, and with it all others of its purpose, and gives the user that it went to.
 * Returns null for a wrong code, one that has expired or was used, and an unknown address. A wrong
 * guess costs a try of each, so the caller's transaction has to commit. Guesses queue up at the
 * user.
 */
export const useCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  input: { email: string; code: string },
): Promise<{ userId: string } | null> => {
  const [user] = await ctx.sql<{ id: string }[]>`
    select id from app_user where email = ${input.email} for update`
  if (!user) return null
  const receiver = { id: user.id, email: input.email }
  const used = await useCodeOf(ctx, credentials, purpose, receiver, input.code)
  return used ? { userId: user.id } : null
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
  const codes = await ctx.sql<{ id: string; codeHash: string }[]>`
    select id, code_hash from email_code
    where user_id = ${user.id} and purpose = ${purpose}
      and used_at is null and expires_at > ${now} and attempts_left > 0`
  const given = credentials.hashCode(ownerOf(user), code)
  if (!codes.some(({ codeHash: hash }) => isSame(hash, given))) {
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
