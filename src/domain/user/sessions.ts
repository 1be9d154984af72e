import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { type Authenticated, wrongCredentials } from './authenticate-user.ts'
import type { Credentials } from './credentials.ts'
import { toUserView, type UserRow, type UserView } from './user-view.ts'

/** How long a sign-in lasts, however often it is refreshed. */
const SESSION_TTL_MS = 30 * 24 * 60 * 60_000
const MAX_USER_AGENT = 200

/** A sign-in, with the refresh token that is shown this once. */
export type SessionView = { sessionId: string; refreshToken: string; user: UserView }

/**
 * Signs an authenticated user in: a new family of refresh tokens. The user is read again, and held:
 * a password or a role that changes at this moment either waits and ends this session too, or was
 * there first, so that a password or role that was just lost opens no session.
 *
 * @throws DomainError `invalid_credentials` where the password has just been changed
 */
export const openSession = (
  ctx: Context,
  credentials: Credentials,
  { userId, passwordHash }: Authenticated,
  userAgent?: string,
): Promise<SessionView> =>
  withTransaction(ctx, async (ctx) => {
    const [row] = await ctx.sql<UserRow[]>`
      select * from app_user where id = ${userId} and password_hash = ${passwordHash} for share`
    if (!row) throw wrongCredentials()
    return startSession(ctx, credentials, row, userAgent)
  })

/**
 * Opens a session for a user whose row the caller's transaction has locked. `userAgent` names the
 * program that signs in.
 */
export const startSession = async (
  ctx: Context,
  credentials: Credentials,
  row: UserRow,
  userAgent?: string,
): Promise<SessionView> => {
  const now = ctx.clock.now()
  const sessionId = newId(now.getTime())
  const refreshToken = credentials.newRefreshToken()
  await ctx.sql`
      with opened as (
        insert into session (id, user_id, created_at, expires_at, user_agent)
        values (${sessionId}, ${row.id}, ${now}, ${new Date(now.getTime() + SESSION_TTL_MS)},
                ${userAgent?.slice(0, MAX_USER_AGENT) ?? null})
        returning id
      )
      insert into refresh_token (token_hash, session_id, created_at)
      select ${credentials.hashRefreshToken(refreshToken)}, id, ${now} from opened`
  return { sessionId, refreshToken, user: toUserView(row) }
}

/**
 * Changes a refresh token for the next one. One that was used already has leaked, or its answer was
 * lost: the whole family is revoked (RFC 9700, section 4.14.2) and the result is `reused`, answered
 * and not thrown, since the revocation must outlive the request.
 *
 * @throws DomainError `invalid_token` for one that is unknown, expired or signed out
 */
export const refreshSession = (
  ctx: Context,
  credentials: Credentials,
  presented: string,
): Promise<SessionView | 'reused'> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const hash = credentials.hashRefreshToken(presented)
    const [used] = await ctx.sql<{ sessionId: string }[]>`
      update refresh_token set used_at = ${now}
      where token_hash = ${hash} and used_at is null
      returning session_id`
    if (!used) return revokeReused(ctx, hash, now)
    const [row] = await ctx.sql<UserRow[]>`
      select app_user.* from session join app_user on app_user.id = session.user_id
      where session.id = ${used.sessionId}
        and session.revoked_at is null and session.expires_at > ${now}
      for share of session`
    if (!row) throw invalid()
    const refreshToken = credentials.newRefreshToken()
    await ctx.sql`
      insert into refresh_token (token_hash, session_id, created_at)
      values (${credentials.hashRefreshToken(refreshToken)}, ${used.sessionId}, ${now})`
    return { sessionId: used.sessionId, refreshToken, user: toUserView(row) }
  })

const revokeReused = async (ctx: Context, hash: string, now: Date): Promise<'reused'> => {
  const revoked = await ctx.sql`
    update session
    set revoked_at = coalesce(revoked_at, ${now}),
        revoked_reason = coalesce(revoked_reason, 'refresh_reused')
    where id = (select session_id from refresh_token where token_hash = ${hash})
    returning id`
  if (revoked.length === 0) throw invalid()
  ctx.log.warn({ sessionId: revoked[0]?.id }, 'a used refresh token came back: session revoked')
  return 'reused'
}

const invalid = () =>
  new DomainError('invalid_token', 'The refresh token is not valid. Sign in again.')

/**
 * Ends one session of the caller's: its refresh tokens are worth nothing from now on. Again changes
 * nothing. False where the caller has no such session.
 */
export const endSession = (ctx: Context, sessionId: string): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const self = ctx.actor.kind === 'user' ? ctx.actor.userId : null
    await holdAccount(ctx)
    const ended = await ctx.sql`
      update session
      set revoked_at = coalesce(revoked_at, ${ctx.clock.now()}),
          revoked_reason = coalesce(revoked_reason, 'signed_out')
      where id = ${sessionId} and user_id = ${self}`
    return ended.count > 0
  })

/** Ends all sessions of the caller but their own; returns those that were open. */
export const endOtherSessions = (ctx: Context): Promise<string[]> =>
  withTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
    await holdAccount(ctx)
    return revokeSessions(ctx, ctx.actor.userId, 'signed_out', ctx.actor.sessionId)
  })

/** Ends all sessions of a user, or all but one; returns those that were open. */
export const revokeSessions = async (
  ctx: Context,
  userId: string,
  reason: RevokedReason,
  except: string | null = null,
): Promise<string[]> => {
  const ended = await ctx.sql<{ id: string }[]>`
    update session set revoked_at = ${ctx.clock.now()}, revoked_reason = ${reason}
    where user_id = ${userId} and revoked_at is null and id is distinct from ${except}
    returning id`
  return ended.map(({ id }) => id)
}

type RevokedReason =
  | 'signed_out'
  | 'password_changed'
  | 'password_reset'
  | 'role_revoked'
  | 'account_deleted'

const MAX_REVOKED = 100_000

/** Sessions that were revoked since a moment, oldest first. */
export const listRevokedSessions = async (
  ctx: Context,
  since: Date,
): Promise<{ sessionId: string; revokedAt: Date }[]> => {
  const rows = await ctx.sql<{ id: string; revokedAt: Date }[]>`
    select id, revoked_at from session where revoked_at >= ${since}
    order by revoked_at limit ${MAX_REVOKED}`
  return rows.map((row) => ({ sessionId: row.id, revokedAt: row.revokedAt }))
}
