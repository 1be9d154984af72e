import type { Part } from '../../db/client.ts'
import type { WebhookEndpoint } from '../../db/schema/events.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import type { Subscription } from '../../outbox/events.ts'
import { seesAll } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { requireUser } from '../require-user.ts'
import { openHeaders } from './sealed-keys.ts'

export type EndpointView = ReturnType<typeof toEndpointView>

/**
 * The owner's view of an endpoint, without secrets. `headers` has the names of the additional
 * headers. Until `previousSecretUntil` the key before the last rotation also signs.
 */
export const toEndpointView = (
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  row: WebhookEndpoint,
) => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  status: row.status,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
  signing: row.signing,
  publicKey: row.publicKey,
  previousSecretUntil:
    row.previousSecretUntil !== null && row.previousSecretUntil > clock.now()
      ? row.previousSecretUntil
      : null,
  headers: Object.keys(openHeaders(secrets, row.headersSealed)),
  ratePerMinute: row.ratePerMinute,
  ordered: row.ordered,
  createdAt: row.createdAt,
})

/**
 * The caller's endpoints, newest first.
 *
 * @throws DomainError `unauthenticated`, `invalid_cursor`
 */
export const listEndpoints = async (
  ctx: Context,
  query: PageQuery,
): Promise<Page<EndpointView>> => {
  const { sql } = ctx
  const { userId } = requireUser(ctx)
  return readPage(ctx, query, {
    chosen: sql`
      select id, created_at as at from webhook_endpoint
      where user_id = ${userId} and deleted_at is null`,
    rowsOf: (ids) =>
      sql<WebhookEndpoint[]>`select * from webhook_endpoint where id = any(${ids}::uuid[])`,
    toItem: (row) => toEndpointView(ctx, row),
  })
}

/**
 * One endpoint of the caller. An administrator may read any.
 *
 * @throws DomainError `not_found`
 */
export const getEndpoint = async (ctx: Context, id: string): Promise<EndpointView> =>
  toEndpointView(ctx, await findEndpoint(ctx, id))

/** `seesAll`: it gets the events of all users, as an administrator's endpoint. */
export type FoundEndpoint = Omit<WebhookEndpoint, 'events'> & {
  events: Subscription[]
  seesAll: boolean
}

/**
 * The row of an endpoint that the caller may access. Another user's endpoint counts as missing.
 *
 * @throws DomainError `not_found`
 */
export const findEndpoint = async (
  { sql, actor }: Context,
  id: string,
  lock: Part = sql``,
): Promise<FoundEndpoint> => {
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
export const ownEndpoint = async (ctx: Context, id: string, lock?: Part): Promise<FoundEndpoint> =>
  findEndpoint({ ...ctx, actor: { ...requireUser(ctx), roles: [] } }, id, lock)

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
export const stillGets = (sql: Context['sql'], endpoint: FoundEndpoint) => sql`
  (${endpoint.seesAll} or ${endpoint.userId} = any(event.audience))`
