import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { type CodeReceiver, sendCodeInMeasure } from './send-code.ts'
import { revokeSessions } from './sessions.ts'
import { useCode } from './use-code.ts'
import { markVerified } from './verify-email.ts'

/**
 * Mails a code with which the password can be changed, and does nothing for an unknown address, or
 * too soon after the last. The caller cannot tell which.
 */
export const requestPasswordReset = (
  ctx: Context,
  credentials: Credentials,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const [user] = await ctx.sql<CodeReceiver[]>`
      select id, email, lang from app_user where email = ${email} for update`
    if (user) await sendCodeInMeasure(ctx, credentials, 'reset_password', user)
  })

/**
 * Changes a password with a mailed code and ends every session of its user, whose ids it returns;
 * null for a code that is wrong, expired or used, answered and not thrown, since the guess counts.
 * Who reads the mail owns the address, so an unverified one is verified by it. The caller judges and
 * hashes the password first, whatever the code.
 */
export const resetPassword = (
  ctx: Context,
  credentials: Credentials,
  input: { email: string; code: string; passwordHash: string },
): Promise<{ endedSessions: string[] } | null> =>
  withTransaction(ctx, async (ctx) => {
    const used = await useCode(ctx, credentials, 'reset_password', input)
    if (!used) return null
    await ctx.sql`
      update app_user set password_hash = ${input.passwordHash} where id = ${used.userId}`
    await markVerified(ctx, used.userId)
    return { endedSessions: await revokeSessions(ctx, used.userId, 'password_reset') }
  })
