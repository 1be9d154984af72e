import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, type PageQuery, toPage } from '../page.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

/** The caller's endpoints, newest first. Throws `unauthenticated`, `invalid_cursor`. */
export const listEndpoints = async (
  context: Context,
  query: PageQuery,
): Promise<Page<EndpointView>> => {
  const { sql, actor } = context
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const skip = after ? 0 : (query.page - 1) * query.limit
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total from webhook_endpoint
    where user_id = ${actor.userId} and deleted_at is null`
  const rows = await sql<EndpointRow[]>`
    select * from webhook_endpoint
    where user_id = ${actor.userId} and deleted_at is null
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${query.limit + 1} offset ${skip}`
  return toPage(
    rows,
    query,
    count?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    (row) => toEndpointView(context, row),
  )
}
