import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, type PageQuery, toPage } from '../page.ts'
import { type KeyRow, type KeyView, toKeyView } from './key-view.ts'

/** The caller's keys, revoked ones too, newest first. Throws `unauthenticated`, `invalid_cursor`. */
export const listKeys = async (
  { sql, actor }: Context,
  query: PageQuery,
): Promise<Page<KeyView>> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total from api_key where user_id = ${actor.userId}`
  const rows = await sql<KeyRow[]>`
    select * from api_key
    where user_id = ${actor.userId}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${query.limit + 1} offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    count?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    toKeyView,
  )
}
