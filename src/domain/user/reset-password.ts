import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { revokeKeysOf } from '../key/index.ts'
import { deleteEndpointsOf, pauseEndpointsOf } from '../webhook/index.ts'
import type { Credentials } from './credentials.ts'
import { mailRemaining } from './mail-remaining.ts'
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
 * Changes a password with a mailed code, which also verifies the address, and ends every session of
 * its user, whose ids it returns. Returns null for a code that is wrong, expired or used, because a
 * thrown refusal would not count the guess. The caller judges and hashes the password first.
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
    // Before this, the account may have been used by a person who does not own the address.
    if (await markVerified(ctx, used.userId)) await removeMade(ctx, used.userId)
    else await suspendMade(ctx, used.userId)
    await mailRemaining(ctx, used.userId)
    return { endedSessions: await revokeSessions(ctx, used.userId, 'password_reset') }
  })

const removeMade = async (ctx: Context, userId: string): Promise<void> => {
  await deleteEndpointsOf(ctx, userId)
  await ctx.sql`
    with keys as (delete from api_key where user_id = ${userId}),
         challenges as (delete from signature_challenge where user_id = ${userId}),
         notices as (delete from notification where user_id = ${userId})
    delete from wallet where user_id = ${userId}`
}

/**
 * Leaves it to the owner what goes on: webhooks wait, wallets collect when named or linked again.
 */
const suspendMade = async (ctx: Context, userId: string): Promise<void> => {
  await pauseEndpointsOf(ctx, userId)
  await revokeKeysOf(ctx, userId)
  await ctx.sql`update wallet set before_reset = true where user_id = ${userId}`
}
