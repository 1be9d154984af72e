import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { isVerifiedUser } from '../../shared/index.ts'
import { type UserView, userColumns } from './account.ts'
import { type Authenticated, wrongCredentials } from './check-password.ts'
import type { Credentials } from './credentials.ts'

/** The lifetime of a session. Its use does not extend it. */
export const SESSION_TTL_MS = 30 * 24 * 60 * 60_000
const MAX_USER_AGENT = 200

/** The program that signs in. A page keeps its token in a cookie and never refreshes the token. */
export type SessionClient = {
  kind: 'api' | 'page'
  userAgent?: string | undefined
  /** The language of an account that the sign-in makes. The default is English. */
  lang?: string
}

/**
 * A session with its new token: the value of the cookie for a page, else a refresh token. Only this
 * answer contains the token.
 */
export type SessionView = { sessionId: string; token: string; user: UserView }

/** The user of a page's session, as the database has it now. */
type PageSession = Pick<UserView, 'roles' | 'lang' | 'verified'> & {
  sessionId: string
  userId: string
}

/**
 * Opens a session for a user who gave the password. Locks the user's row, so a concurrent change of
 * the password or roles either comes first and is visible, or comes later and ends the session.
 *
 * @throws DomainError `invalid_credentials` if the password has just been changed
 */
export const openSession = (
  ctx: Context,
  credentials: Credentials,
  { userId, passwordHash }: Authenticated,
  client: SessionClient,
): Promise<SessionView> =>
  withTransaction(ctx, async (ctx) => {
    const [user] = await ctx.sql<UserView[]>`
      select ${userColumns(ctx.sql)} from app_user
      where id = ${userId} and password_hash = ${passwordHash}
      for share`
    if (!user) throw wrongCredentials()
    return startSession(ctx, credentials, user, client)
  })

/** Opens a session. The caller's transaction must have locked the row of `user`. */
export const startSession = async (
  ctx: Context,
  credentials: Credentials,
  user: UserView,
  { kind, userAgent }: SessionClient,
): Promise<SessionView> => {
  const now = ctx.clock.now()
  const sessionId = newId(now.getTime())
  const token = credentials.newSessionToken()
  const hash = credentials.hashSessionToken(token)
  const isPage = kind === 'page'
  await ctx.sql`
      with opened as (
        insert into session (id, user_id, created_at, expires_at, user_agent, cookie_hash)
        values (${sessionId}, ${user.id}, ${now}, ${new Date(now.getTime() + SESSION_TTL_MS)},
                ${userAgent?.slice(0, MAX_USER_AGENT) ?? null}, ${isPage ? hash : null})
        returning id
      )
      insert into refresh_token (token_hash, session_id, created_at)
      select ${hash}, id, ${now} from opened where not ${isPage}::boolean`
  return { sessionId, token, user }
}

/** Finds the open session of a cookie, in the database, so an ended session is refused at once. */
export const findPageSession = async (
  { sql, clock }: Context,
  credentials: Credentials,
  token: string,
): Promise<PageSession | undefined> => {
  const [found] = await sql<PageSession[]>`
    select session.id as session_id, app_user.id as user_id, app_user.roles, app_user.lang,
           ${isVerifiedUser(sql)} as verified
    from session join app_user on app_user.id = session.user_id
    where session.cookie_hash = ${credentials.hashSessionToken(token)}
      and session.revoked_at is null and session.expires_at > ${clock.now()}`
  return found
}

/**
 * Exchanges a refresh token for a new token. A token that was used before may have leaked, so its
 * session is revoked (RFC 9700, section 4.14.2). The result is then `reused` and not an error,
 * because an error would roll back the revocation.
 *
 * @throws DomainError `invalid_token` if the token is unknown or its session has ended
 */
export const refreshSession = (
  ctx: Context,
  credentials: Credentials,
  presented: string,
): Promise<SessionView | 'reused'> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const hash = credentials.hashSessionToken(presented)
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
    const token = credentials.newSessionToken()
    await ctx.sql`
      insert into refresh_token (token_hash, session_id, created_at)
      values (${credentials.hashSessionToken(token)}, ${used.sessionId}, ${now})`
    return { sessionId: used.sessionId, token, user }
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
