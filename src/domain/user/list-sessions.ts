import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'

/** A session that is open, as its user sees it. */
export type OpenSessionView = {
  id: string
  createdAt: Date
  /** When it was last given tokens. */
  lastUsedAt: Date
  expiresAt: Date
  /** The program that signed in, as it calls itself. */
  userAgent: string | null
  /** Whether the caller asks from it. */
  current: boolean
}

type Row = {
  id: string
  createdAt: Date
  expiresAt: Date
  userAgent: string | null
  lastUsedAt: Date | null
}

/** The caller's open sessions, newest first. Throws `unauthenticated`, `invalid_cursor`. */
export const listSessions = async (
  ctx: Context,
  query: PageQuery,
): Promise<Page<OpenSessionView>> => {
  const { sql, actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  return readPage(ctx, query, {
    chosen: sql`
      select id, created_at as at from session
      where user_id = ${actor.userId} and revoked_at is null and expires_at > ${ctx.clock.now()}`,
    rowsOf: (ids) => sql<Row[]>`
      select id, created_at, expires_at, user_agent,
             (select max(created_at) from refresh_token where session_id = session.id)
               as last_used_at
      from session where id = any(${ids}::uuid[])`,
    toItem: (row) => ({
      id: row.id,
      createdAt: row.createdAt,
      lastUsedAt: row.lastUsedAt ?? row.createdAt,
      expiresAt: row.expiresAt,
      userAgent: row.userAgent,
      current: row.id === actor.sessionId,
    }),
  })
}
