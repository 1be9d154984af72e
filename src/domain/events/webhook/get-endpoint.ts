import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import type { Subscription } from '../../../outbox/events.ts'
import { seesAll } from '../../../outbox/sees-all.ts'
import { type Page, type PageQuery, readPage, requireUser } from '../../shared/index.ts'
import { openHeaders } from './sealed-keys.ts'

export type EndpointView = ReturnType<typeof toEndpointView>

/**
 * The owner's view of an endpoint, without secrets. `headers` has only the names of the headers.
 * Until `previousSecretUntil`, requests also have a signature of the endpoint's previous key.
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
 * Lists the caller's endpoints, newest first.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `invalid_cursor` for a wrong cursor
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
 * Returns an endpoint of the caller. An administrator may read every endpoint.
 *
 * @throws DomainError `not_found` if the caller may read no such endpoint
 */
export const getEndpoint = async (ctx: Context, id: string): Promise<EndpointView> =>
  toEndpointView(ctx, await findEndpoint(ctx, id))

/** `seesAll` means that the endpoint gets all users' events, because an administrator set it up. */
export type FoundEndpoint = Omit<WebhookEndpoint, 'events'> & {
  events: Subscription[]
  seesAll: boolean
}

/**
 * Returns the row of an endpoint that the caller may access. `lock` is SQL that locks the row.
 *
 * @throws DomainError `not_found` if the caller may access no such endpoint
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

export const lockEndpoint = (ctx: Context, id: string): Promise<FoundEndpoint> =>
  findEndpoint(ctx, id, ctx.sql`for no key update of endpoint`)

/**
 * Returns an endpoint that the caller owns. Refuses even an administrator who does not own the
 * endpoint, because only the owner may read the endpoint's responses.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` if the caller owns no such
 *   endpoint
 */
export const ownEndpoint = async (ctx: Context, id: string, lock?: Part): Promise<FoundEndpoint> =>
  findEndpoint({ ...ctx, actor: { ...requireUser(ctx), roles: [] } }, id, lock)

/**
 * Like `ownEndpoint`, for code that creates a delivery. Locks the endpoint and its owner until the
 * transaction ends. Accepts a paused endpoint, because its new deliveries can wait.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown endpoint,
 *   `conflict` if the endpoint is disabled
 */
export const ownOpenEndpoint = async (ctx: Context, id: string): Promise<FoundEndpoint> => {
  const endpoint = await ownEndpoint(ctx, id, ctx.sql`for share`)
  if (endpoint.status !== 'disabled') return endpoint
  throw new DomainError('conflict', 'This webhook endpoint is disabled and gets no deliveries.')
}

/** SQL condition on a table named `event`: the endpoint may get the event now. */
export const stillGets = (sql: Context['sql'], endpoint: FoundEndpoint) => sql`
  (${endpoint.seesAll} or ${endpoint.userId} = any(event.audience))`
