import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type Confirmed, holdConfirmed } from './confirm-caller.ts'
import { mailChange } from './mail-change.ts'
import { revokeSessions } from './sessions.ts'

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
    const own = ctx.actor.kind === 'user' ? ctx.actor.sessionId : null
    return { endedSessions: await revokeSessions(ctx, user.id, 'password_changed', own) }
  })
