import { withTransaction } from '../../db/transaction.ts'
import { emit } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { useCode } from './use-code.ts'

/**
 * Verifies an address with the code that was mailed to it, once, and emits `user.verified`.
 * False for a wrong code, one that has expired or was used, and an unknown address. A wrong guess
 * costs a try, so it is an answer and no error, which would roll the try back.
 */
export const verifyEmail = (
  ctx: Context,
  credentials: Credentials,
  input: { email: string; code: string },
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const used = await useCode(ctx, credentials, 'verify_email', input)
    if (!used) return false
    await markVerified(ctx, used.userId)
    return true
  })

/** Notes that an address is its user's, and emits `user.verified`; false where that is known. */
export const markVerified = async (ctx: Context, userId: string): Promise<boolean> => {
  const now = ctx.clock.now()
  const verified = await ctx.sql`
    update app_user set email_verified_at = ${now}
    where id = ${userId} and email_verified_at is null`
  if (verified.count === 0) return false
  await emitVerified(ctx, userId)
  return true
}

/** Says that an account is verified from now on. */
export const emitVerified = (ctx: Context, userId: string): Promise<void> =>
  emit(ctx, [
    {
      type: 'user.verified',
      data: { userId, verifiedAt: ctx.clock.now().toISOString() },
      audience: [userId],
      campaignId: null,
    },
  ])
