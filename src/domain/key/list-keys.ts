import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { type KeyRow, type KeyView, toKeyView } from './key-view.ts'

/**
 * The caller's keys, revoked ones too, newest first. Throws `unauthenticated`, `invalid_cursor`.
 */
export const listKeys = async (ctx: Context, query: PageQuery): Promise<Page<KeyView>> => {
  const { sql, actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  return readPage(ctx, query, {
    chosen: sql`select id, created_at as at from api_key where user_id = ${actor.userId}`,
    rowsOf: (ids) => sql<KeyRow[]>`select * from api_key where id = any(${ids}::uuid[])`,
    toItem: toKeyView,
  })
}
