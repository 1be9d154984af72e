import type { Context } from '../../../db/context.ts'
import type { Session } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import {
  holdAccount,
  type Page,
  type PageQuery,
  readPage,
  requireUser,
} from '../../shared/index.ts'
import { rotateSigningKey } from './signing-keys.ts'

/** An open session as its user sees it. */
export type OpenSessionView = Pick<Session, 'id' | 'createdAt' | 'expiresAt' | 'userAgent'> & {
  /** The time at which the session last got a refresh token. */
  lastUsedAt: Date
  /** Whether the current request uses this session. */
  current: boolean
}

/**
 * Lists the caller's open sessions, newest first.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_cursor` for a wrong cursor
 */
export const listSessions = async (
  ctx: Context,
  query: PageQuery,
): Promise<Page<OpenSessionView>> => {
  const { sql } = ctx
  const { userId, sessionId = null } = requireUser(ctx)
  return readPage(ctx, query, {
    chosen: sql`
      select id, created_at as at from session
      where user_id = ${userId} and revoked_at is null and expires_at > ${ctx.clock.now()}`,
    rowsOf: (ids) => sql<OpenSessionView[]>`
      select id, created_at,
             coalesce((select max(created_at) from refresh_token where session_id = session.id),
                      created_at) as last_used_at,
             expires_at, user_agent, id is not distinct from ${sessionId} as current
      from session where id = any(${ids}::uuid[])`,
  })
}

/** Ends a session of the caller. Returns false if the caller has no session with this id. */
export const endSession = (ctx: Context, sessionId: string): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const ended = await ctx.sql`
      update session
      set revoked_at = coalesce(revoked_at, ${ctx.clock.now()}),
          revoked_reason = coalesce(revoked_reason, 'signed_out')
      where id = ${sessionId} and user_id = ${requireUser(ctx).userId}`
    return ended.count > 0
  })

/** Ends all sessions of the caller except the current session. Returns the ended sessions' ids. */
export const endOtherSessions = (ctx: Context): Promise<string[]> =>
  withTransaction(ctx, async (ctx) => {
    const { userId, sessionId } = requireUser(ctx)
    await holdAccount(ctx)
    return revokeSessions(ctx, userId, 'signed_out', sessionId)
  })

/** Ends all sessions of a user except `except`. Returns the ids of the ended sessions. */
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
  | 'database_restored'

/** Ends all sessions, tokens, API keys, mailed codes, open challenges and claim links. */
export const endAllCredentials = async (ctx: Context): Promise<void> => {
  const now = ctx.clock.now()
  const reason: RevokedReason = 'database_restored'
  await ctx.sql`
    update session set revoked_at = ${now}, revoked_reason = ${reason} where revoked_at is null`
  await ctx.sql`update api_key set revoked_at = ${now} where revoked_at is null`
  await ctx.sql`update email_code set used_at = ${now} where used_at is null`
  await ctx.sql`update signature_challenge set used_at = ${now} where used_at is null`
  await ctx.sql`update claim_link set expires_at = ${now} where expires_at > ${now}`
  await rotateSigningKey(ctx, { endOld: true })
}

const MAX_REVOKED = 100_000

/** Lists the sessions that were revoked at `since` or later, in the order of revocation. */
export const listRevokedSessions = ({ sql }: Context, since: Date) =>
  sql<{ sessionId: string; revokedAt: Date }[]>`
    select id as session_id, revoked_at from session where revoked_at >= ${since}
    order by revoked_at limit ${MAX_REVOKED}`

/** Mailed codes stay longer than a day, because a limit counts the codes of the last 24 hours. */
const KEEP_MS = 2 * 24 * 60 * 60_000
/** Each session may have 3 000 refresh tokens, which are removed with it. */
const SESSIONS = 50

/**
 * Removes old sessions, mailed codes and challenges. Ids of sessions and codes begin with the time,
 * so the oldest ones come first. Returns the number of removed rows.
 */
export const pruneSignIn = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const before = new Date(clock.now().getTime() - KEEP_MS)
  const sessions = await sql`
    delete from session
    where id in (select id from session order by id limit ${SESSIONS}) and expires_at < ${before}`
  const codes = await sql`
    delete from email_code
    where id in (select id from email_code order by id limit ${limit}) and created_at < ${before}`
  const challenges = await sql`
    delete from signature_challenge where nonce in (
      select nonce from signature_challenge where expires_at < ${before} limit ${limit})`
  return sessions.count + codes.count + challenges.count
}
