import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { requireUser } from '../require-user.ts'
import { type KeyView, keyColumns } from './key-view.ts'

/**
 * The caller's keys, revoked ones too, newest first.
 *
 * @throws DomainError `unauthenticated`, `invalid_cursor`
 */
export const listKeys = async (ctx: Context, query: PageQuery): Promise<Page<KeyView>> => {
  const { sql } = ctx
  const { userId } = requireUser(ctx)
  return readPage(ctx, query, {
    chosen: sql`select id, created_at as at from api_key where user_id = ${userId}`,
    rowsOf: (ids) => sql<KeyView[]>`
      select ${keyColumns(sql)} from api_key where id = any(${ids}::uuid[])`,
  })
}
