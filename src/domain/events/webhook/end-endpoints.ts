import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { getsEvent } from '../../../outbox/sees-all.ts'
import { notify, queueMail } from '../../people/index.ts'
import { findEndpoint } from './get-endpoint.ts'

/** An endpoint is disabled if all its requests fail for this time. */
const MAX_FAILING_MS = 5 * 24 * 3_600_000

/**
 * Deletes an endpoint: erases its keys and cancels its pending deliveries.
 *
 * @throws DomainError `not_found` if the caller may access no such endpoint
 */
export const deleteEndpoint = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const endpoint = await findEndpoint(ctx, id)
    await remove(ctx, ctx.sql`id = ${endpoint.id}`)
  })

/** Deletes all endpoints of a user, in the caller's transaction. */
export const deleteEndpointsOf = (ctx: Context, userId: string): Promise<void> =>
  remove(ctx, ctx.sql`user_id = ${userId}`)

/** Deletes a user's endpoints and erases the endpoints' URLs, in the caller's transaction. */
export const eraseEndpointsOf = async (ctx: Context, userId: string): Promise<void> => {
  await deleteEndpointsOf(ctx, userId)
  await ctx.sql`
    update webhook_endpoint set url = '', description = null where user_id = ${userId}`
}

const remove = async (ctx: Context, which: Part): Promise<void> => {
  const removed = await ctx.sql<{ id: string }[]>`
    update webhook_endpoint
    set deleted_at = ${ctx.clock.now()}, status = 'disabled', secret_sealed = '',
        previous_secret_sealed = null, previous_secret_until = null, headers_sealed = null
    where ${which} and deleted_at is null
    returning id`
  await cancelDeliveries(ctx, removed)
}

/** Pauses a user's active endpoints, in the caller's transaction. Pending deliveries wait. */
export const pauseEndpointsOf = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`
    update webhook_endpoint set status = 'paused', failing_since = null
    where user_id = ${userId} and status = 'active'`
}

type Disabled = Pick<WebhookEndpoint, 'id' | 'userId' | 'url'> &
  Pick<AppUser, 'email' | 'lang'> & { reason: 'gone' | 'failing' }

/**
 * Disables all endpoints in `gone`, which have answered with the HTTP status 410. Disables an
 * endpoint in `failing` if it has failed for five days and the clock is trusted. Cancels the
 * pending deliveries of the disabled endpoints, and informs the owners by mail and notification.
 */
export const disableEndpoints = async (
  ctx: Context,
  { gone, failing }: { gone: readonly string[]; failing: readonly string[] },
): Promise<void> => {
  if (gone.length === 0 && failing.length === 0) return
  const before = new Date(ctx.clock.now().getTime() - MAX_FAILING_MS)
  const disabled = await ctx.sql<Disabled[]>`
    update webhook_endpoint endpoint
    set status = 'disabled',
        disabled_reason =
          case when endpoint.id = any(${[...gone]}::uuid[]) then 'gone' else 'failing' end
    from app_user owner
    where owner.id = endpoint.user_id and endpoint.status = 'active'
      and (endpoint.id = any(${[...gone]}::uuid[])
           or (endpoint.id = any(${[...failing]}::uuid[]) and endpoint.failing_since <= ${before}
               and ${ctx.clock.isTrusted()}::boolean))
    returning endpoint.id, endpoint.user_id, endpoint.url, endpoint.disabled_reason as reason,
              owner.email, owner.lang`
  if (disabled.length === 0) return
  await cancelDeliveries(ctx, disabled)
  for (const { email: to, lang, url, reason } of disabled) {
    if (to === null) continue
    await queueMail(ctx, { to, lang, template: 'endpoint_disabled', values: { url, reason } })
  }
  await notify(
    ctx,
    disabled.map(({ id, userId, url, reason }) => ({
      userId,
      type: 'webhook_disabled',
      values: { url, reason },
      data: { webhookId: id },
    })),
  )
}

/** Cancels all pending deliveries of the endpoints, even deliveries that are being sent. */
const cancelDeliveries = async (
  { sql }: Context,
  endpoints: readonly { id: string }[],
): Promise<void> => {
  await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where endpoint_id = any(${endpoints.map(({ id }) => id)}::uuid[]) and status = 'pending'`
}

/** Cancels pending deliveries of events that the owner may not see. `which` selects endpoints. */
export const cancelForeignDeliveries = async ({ sql }: Context, which: Part): Promise<void> => {
  await sql`
    update webhook_delivery delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    from event, webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
    where ${which} and delivery.status = 'pending' and delivery.endpoint_id = endpoint.id
      and event.id = delivery.event_id and not ${getsEvent(sql)}`
}
