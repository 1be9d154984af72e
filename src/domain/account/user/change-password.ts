import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { deleteEndpointsOf, pauseEndpointsOf } from '../../events/index.ts'
import { requireUser } from '../../shared/index.ts'
import { revokeKeysOf } from '../key/keys.ts'
import { type Confirmed, holdConfirmed } from './check-password.ts'
import type { Credentials } from './credentials.ts'
import { revokeSessions } from './end-sessions.ts'
import { mailRemaining } from './mail-notices.ts'
import type { RegisterUser } from './schemas.ts'
import { useCode } from './use-code.ts'
import { markVerified } from './verify-email.ts'

/**
 * Checks a new password against the rules and hashes it. `path` is the field of the request with
 * the password. Must run outside a transaction, because hashing is slow.
 *
 * @throws DomainError `invalid_input` if a rule is broken; `unavailable` if too many hashes wait
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
 * Sets a new password for a caller that `confirmCaller` confirmed, and mails a notice. Ends all
 * other sessions of the account and returns their ids. With `endAccess`, also ends API keys,
 * webhooks and the sign-in with wallets, as `resetPassword` does.
 *
 * @throws DomainError `invalid_token` if the session has ended; `invalid_credentials` if the
 *   password was just changed
 */
export const changePassword = (
  ctx: Context,
  confirmed: Confirmed,
  passwordHash: string,
  { endAccess = false } = {},
): Promise<{ endedSessions: string[] }> =>
  withTransaction(ctx, async (ctx) => {
    const user = await holdConfirmed(ctx, confirmed)
    await ctx.sql`update app_user set password_hash = ${passwordHash} where id = ${user.id}`
    if (endAccess) await suspendMade(ctx, user.id)
    await mailRemaining(ctx, user.id, { isKept: !endAccess })
    const { sessionId } = requireUser(ctx)
    return { endedSessions: await revokeSessions(ctx, user.id, 'password_changed', sessionId) }
  })

/**
 * Sets a new password with a mailed code, verifies the address, and ends all sessions of the user.
 * Returns null for a wrong, expired or used code, because an error would roll back the count of
 * wrong guesses. The caller must have checked and hashed the new password.
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
    // If the address was unverified until now, a stranger may have created and used the account.
    if (await markVerified(ctx, userId)) await removeMade(ctx, userId)
    else await suspendMade(ctx, userId)
    await mailRemaining(ctx, userId, { isKept: false })
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

/** Suspends webhooks and wallets and revokes API keys, because a stranger may have added them. */
export const suspendMade = async (ctx: Context, userId: string): Promise<void> => {
  await pauseEndpointsOf(ctx, userId)
  await revokeKeysOf(ctx, userId)
  await ctx.sql`update wallet set before_reset = true where user_id = ${userId}`
}
