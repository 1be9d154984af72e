import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { emit } from '../../../outbox/emit.ts'
import { isVerifiedUser } from '../../shared/index.ts'
import type { Credentials } from './credentials.ts'
import { useCode } from './use-code.ts'

/**
 * Verifies an email address with the code that was mailed to it, and emits `user.verified`. A
 * wrong, expired or used code gives false and no error, because wrong guesses must stay counted.
 */
export const verifyEmail = (
  ctx: Context,
  credentials: Credentials,
  input: { email: string; code: string },
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const userId = await useCode(ctx, credentials, 'verify_email', input)
    if (userId !== null) await markVerified(ctx, userId)
    return userId !== null
  })

/** Marks a user's email address as verified. Returns false if the address was verified before. */
export const markVerified = async (ctx: Context, userId: string): Promise<boolean> => {
  const verified = await ctx.sql`
    update app_user set email_verified_at = ${ctx.clock.now()}
    where id = ${userId} and email_verified_at is null`
  if (verified.count === 0) return false
  await emitVerified(ctx, userId)
  return true
}

export const emitVerified = (ctx: Context, userId: string): Promise<void> =>
  emit(ctx, [
    {
      type: 'user.verified',
      data: { userId, verifiedAt: ctx.clock.now().toISOString() },
      audience: [userId],
      campaignId: null,
    },
  ])

/**
 * Whether the caller's account is verified. Reads the database, because the caller's access token
 * may be older than the verification. False if the caller's session has been revoked.
 */
export const isVerified = async ({ sql, actor }: Context): Promise<boolean> => {
  if (actor.kind !== 'user') return false
  const [row] = await sql<{ verified: boolean }[]>`
    select ${isVerifiedUser(sql)} and not exists (
             select from session where id = ${actor.sessionId ?? null} and revoked_at is not null
           ) as verified
    from app_user where id = ${actor.userId}`
  return row?.verified ?? false
}
