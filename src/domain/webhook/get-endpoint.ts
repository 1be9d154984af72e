import type { Part } from '../../db/client.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { seesAll } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

/** `sees_all`: it gets the events of all users, as an administrator's endpoint. */
export type FoundEndpoint = EndpointRow & { seesAll: boolean }

/**
 * One endpoint of the caller. An administrator may read any.
 *
 * @throws DomainError `not_found`
 */
export const getEndpoint = async (ctx: Context, id: string): Promise<EndpointView> =>
  toEndpointView(ctx, await findEndpoint(ctx, id))

/** The row of an endpoint that the caller may access. Another user's endpoint counts as missing. */
export const findEndpoint = async (
  ctx: Context,
  id: string,
  lock: Part = ctx.sql``,
): Promise<FoundEndpoint> => {
  const { sql, actor } = ctx
  const [row] = isId(id)
    ? await sql<FoundEndpoint[]>`
        select endpoint.*, ${seesAll(sql)} as sees_all
        from webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
        where endpoint.id = ${id} and endpoint.deleted_at is null ${lock}`
    : []
  if (row && mayActFor(actor, row.userId)) return row
  throw new DomainError('not_found', 'There is no such webhook endpoint.')
}

/** Like `findEndpoint`, with a lock until the transaction ends. */
export const lockEndpoint = (ctx: Context, id: string): Promise<FoundEndpoint> =>
  findEndpoint(ctx, id, ctx.sql`for no key update of endpoint`)

/**
 * An endpoint of the caller's own, because even an administrator may not read responses of other
 * users' receivers.
 *
 * @throws DomainError `unauthenticated`, `not_found`
 */
export const ownEndpoint = async (
  ctx: Context,
  id: string,
  lock?: Part,
): Promise<FoundEndpoint> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  // Drops the caller's roles.
  return findEndpoint({ ...ctx, actor: { ...actor, roles: [] } }, id, lock)
}

/**
 * Like `ownEndpoint`, for a delivery to it: locks the endpoint and its owner's rights until the
 * transaction ends. Accepts a paused endpoint, whose deliveries wait.
 *
 * @throws DomainError `conflict` if it is disabled
 */
export const ownOpenEndpoint = async (ctx: Context, id: string): Promise<FoundEndpoint> => {
  const endpoint = await ownEndpoint(ctx, id, ctx.sql`for share`)
  if (endpoint.status !== 'disabled') return endpoint
  throw new DomainError('conflict', 'This webhook endpoint is disabled and gets no deliveries.')
}

/** Whether an endpoint may still get `event`: it may have lost access to all events since. */
export const stillGets = (
  sql: Context['sql'],
  { seesAll: sees_all, userId: user_id }: FoundEndpoint,
) => sql`
  (${sees_all} or ${user_id} = any(event.audience))`
