import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { EventType } from '../../outbox/events.ts'
import { seesAll } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import type { EndpointStatus } from './endpoint-view.ts'

export type OwnEndpoint = {
  id: string
  user_id: string
  status: EndpointStatus
  events: EventType[]
  /** Whether it gets everybody's events, as an administrator's. */
  sees_all: boolean
}

/**
 * An endpoint of the caller's own; what its receiver has answered is nobody else's to read, an
 * administrator's included. Throws `unauthenticated`, `not_found`.
 */
export const ownEndpoint = (context: Context, id: string): Promise<OwnEndpoint> =>
  find(context, id, false)

/**
 * The same, to be sent something: held as it is until the transaction ends. A paused one takes it
 * and waits. Throws `conflict` where it is disabled.
 */
export const ownOpenEndpoint = async (context: Context, id: string): Promise<OwnEndpoint> => {
  const endpoint = await find(context, id, true)
  if (endpoint.status !== 'disabled') return endpoint
  throw new DomainError('conflict', 'This webhook endpoint is disabled: nothing is sent to it.')
}

/** Whether an endpoint still gets `event`: it may have had a delivery of it while it saw all. */
export const stillGets = (sql: Context['sql'], { sees_all, user_id }: OwnEndpoint) => sql`
  (${sees_all} or ${user_id} = any(event.audience))`

const find = async ({ sql, actor }: Context, id: string, hold: boolean): Promise<OwnEndpoint> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const [row] = isId(id)
    ? await sql<OwnEndpoint[]>`
        select endpoint.id, endpoint.user_id, endpoint.status, endpoint.events,
               ${seesAll(sql)} as sees_all
        from webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
        where endpoint.id = ${id} and endpoint.user_id = ${actor.userId}
          and endpoint.deleted_at is null
        ${hold ? sql`for share of endpoint` : sql``}`
    : []
  if (row) return row
  throw new DomainError('not_found', 'There is no such webhook endpoint.')
}
