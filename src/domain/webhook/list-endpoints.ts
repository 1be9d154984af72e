import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

/**
 * The caller's endpoints, newest first.
 *
 * @throws DomainError `unauthenticated`, `invalid_cursor`
 */
export const listEndpoints = async (
  ctx: Context,
  query: PageQuery,
): Promise<Page<EndpointView>> => {
  const { sql, actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const chosen = sql`
    select id, created_at as at from webhook_endpoint
    where user_id = ${actor.userId} and deleted_at is null`
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) =>
      sql<EndpointRow[]>`select * from webhook_endpoint where id = any(${ids}::uuid[])`,
    toItem: (row) => toEndpointView(ctx, row),
  })
}
