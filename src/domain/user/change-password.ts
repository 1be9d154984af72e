import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { revokeKeysOf } from '../key/index.ts'
import { requireUser } from '../require-user.ts'
import { deleteEndpointsOf, pauseEndpointsOf } from '../webhook/index.ts'
import { type Confirmed, holdConfirmed } from './check-password.ts'
import type { Credentials } from './credentials.ts'
import { revokeSessions } from './end-sessions.ts'
import { mailChange, mailRemaining } from './mail-notices.ts'
import type { RegisterUser } from './schemas.ts'
import { useCode } from './use-code.ts'
import { markVerified } from './verify-email.ts'

/**
 * Judges and hashes a new password, which the field `path` holds. Apart from the verbs that store
 * it, so that no transaction is open for as long as the hash takes.
 *
 * @throws DomainError `invalid_input` with the reason, `unavailable` when too many wait
 */
export const hashNewPassword = async (
  credentials: Credentials,
  input: Pick<RegisterUser, 'email' | 'username' | 'password'>,
  path = 'password',
): Promise<string> => {
  const reason = credentials.refusePassword(input.password, input)
  if (reason !== undefined) {
    throw new DomainError('invalid_input', `The password ${reason}.`, [{ path, message: reason }])
  }
  return credentials.passwords.hash(input.password)
}

/**
 * Gives the account of a confirmed caller another password, and ends all its sessions but this one;
 * returns their ids. A notice goes to its address.
 *
 * @throws DomainError `invalid_token`, `invalid_credentials`
 */
export const changePassword = (
  ctx: Context,
  confirmed: Confirmed,
  passwordHash: string,
): Promise<{ endedSessions: string[] }> =>
  withTransaction(ctx, async (ctx) => {
    const user = await holdConfirmed(ctx, confirmed)
    await ctx.sql`update app_user set password_hash = ${passwordHash} where id = ${user.id}`
    await mailChange(ctx, user, 'password')
    const { sessionId } = requireUser(ctx)
    return { endedSessions: await revokeSessions(ctx, user.id, 'password_changed', sessionId) }
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
    const userId = await useCode(ctx, credentials, 'reset_password', input)
    if (userId === null) return null
    await ctx.sql`update app_user set password_hash = ${input.passwordHash} where id = ${userId}`
    // Before this, the account may have been used by a person who does not own the address.
    if (await markVerified(ctx, userId)) await removeMade(ctx, userId)
    else await suspendMade(ctx, userId)
    await mailRemaining(ctx, userId)
    return { endedSessions: await revokeSessions(ctx, userId, 'password_reset') }
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
