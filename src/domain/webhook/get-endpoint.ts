import { type Actor, mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

/** One endpoint of the caller; an admin may read any. Throws `not_found`. */
export const getEndpoint = async (context: Context, id: string): Promise<EndpointView> =>
  toEndpointView(context, await findEndpoint(context, id))

/** The row of an endpoint that the caller may act on; somebody else's is as good as not there. */
export const findEndpoint = async ({ sql, actor }: Context, id: string): Promise<EndpointRow> => {
  const [row] = isId(id)
    ? await sql<EndpointRow[]>`
        select * from webhook_endpoint where id = ${id} and deleted_at is null`
    : []
  return allowed(actor, row)
}

/** The same, held until the transaction ends. */
export const lockEndpoint = async ({ sql, actor }: Context, id: string): Promise<EndpointRow> => {
  const [row] = isId(id)
    ? await sql<EndpointRow[]>`
        select * from webhook_endpoint where id = ${id} and deleted_at is null
        for no key update`
    : []
  return allowed(actor, row)
}

const allowed = (actor: Actor, row: EndpointRow | undefined): EndpointRow => {
  if (row && mayActFor(actor, row.user_id)) return row
  throw new DomainError('not_found', 'There is no such webhook endpoint.')
}
