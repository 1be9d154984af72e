import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Context } from '../context.ts'
import { type UserView, userColumns } from './account.ts'
import { type Authenticated, wrongCredentials } from './check-password.ts'
import type { Credentials } from './credentials.ts'

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
    const [user] = await ctx.sql<UserView[]>`
      select ${userColumns(ctx.sql)} from app_user
      where id = ${userId} and password_hash = ${passwordHash}
      for share`
    if (!user) throw wrongCredentials()
    return startSession(ctx, credentials, user, userAgent)
  })

/**
 * Opens a session for a user whose row the caller's transaction has locked. `userAgent` names the
 * program that signs in.
 */
export const startSession = async (
  ctx: Context,
  credentials: Credentials,
  user: UserView,
  userAgent?: string,
): Promise<SessionView> => {
  const now = ctx.clock.now()
  const sessionId = newId(now.getTime())
  const refreshToken = credentials.newRefreshToken()
  await ctx.sql`
      with opened as (
        insert into session (id, user_id, created_at, expires_at, user_agent)
        values (${sessionId}, ${user.id}, ${now}, ${new Date(now.getTime() + SESSION_TTL_MS)},
                ${userAgent?.slice(0, MAX_USER_AGENT) ?? null})
        returning id
      )
      insert into refresh_token (token_hash, session_id, created_at)
      select ${credentials.hashRefreshToken(refreshToken)}, id, ${now} from opened`
  return { sessionId, refreshToken, user }
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
    const [user] = await ctx.sql<UserView[]>`
      select ${userColumns(ctx.sql)}
      from session join app_user on app_user.id = session.user_id
      where session.id = ${used.sessionId}
        and session.revoked_at is null and session.expires_at > ${now}
      for share of session`
    if (!user) throw invalid()
    const refreshToken = credentials.newRefreshToken()
    await ctx.sql`
      insert into refresh_token (token_hash, session_id, created_at)
      values (${credentials.hashRefreshToken(refreshToken)}, ${used.sessionId}, ${now})`
    return { sessionId: used.sessionId, refreshToken, user }
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
