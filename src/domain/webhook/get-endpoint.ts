import type { Part } from '../../db/client.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { seesAll } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

/** `sees_all`: it gets everybody's events, as an administrator's. */
export type FoundEndpoint = EndpointRow & { sees_all: boolean }

/** One endpoint of the caller; an admin may read any. Throws `not_found`. */
export const getEndpoint = async (ctx: Context, id: string): Promise<EndpointView> =>
  toEndpointView(ctx, await findEndpoint(ctx, id))

/** The row of an endpoint that the caller may act on; that of a stranger is as good as not there. */
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
  if (row && mayActFor(actor, row.user_id)) return row
  throw new DomainError('not_found', 'There is no such webhook endpoint.')
}

/** The same, held until the transaction ends. */
export const lockEndpoint = (ctx: Context, id: string): Promise<FoundEndpoint> =>
  findEndpoint(ctx, id, ctx.sql`for no key update of endpoint`)

/**
 * An endpoint of the caller's own: an administrator too reads no answers of the receivers of others.
 * Throws `unauthenticated`, `not_found`.
 */
export const ownEndpoint = async (
  ctx: Context,
  id: string,
  lock?: Part,
): Promise<FoundEndpoint> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  // As a user without roles.
  return findEndpoint({ ...ctx, actor: { ...actor, roles: [] } }, id, lock)
}

/**
 * The same, to be sent something: it and its owner's rights are held as they are until the
 * transaction ends. A paused one takes it and waits. Throws `conflict` where it is disabled.
 */
export const ownOpenEndpoint = async (ctx: Context, id: string): Promise<FoundEndpoint> => {
  const endpoint = await ownEndpoint(ctx, id, ctx.sql`for share`)
  if (endpoint.status !== 'disabled') return endpoint
  throw new DomainError('conflict', 'This webhook endpoint is disabled: nothing is sent to it.')
}

/** Whether an endpoint still gets `event`: it may have had a delivery of it while it saw all. */
export const stillGets = (sql: Context['sql'], { sees_all, user_id }: FoundEndpoint) => sql`
  (${sees_all} or ${user_id} = any(event.audience))`
