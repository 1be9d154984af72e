import type { Part } from '../../db/client.ts'
import { getsEvent } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'

/** Cancels all pending deliveries of these endpoints, attempts in flight included. */
export const cancelDeliveries = async (
  { sql }: Context,
  endpointIds: readonly string[],
): Promise<void> => {
  await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where endpoint_id = any(${[...endpointIds]}::uuid[]) and status = 'pending'`
}

/** Cancels pending deliveries of events that their endpoint may not get any more. */
export const cancelForeignDeliveries = async ({ sql }: Context, which: Part): Promise<void> => {
  await sql`
    update webhook_delivery delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    from event, webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
    where ${which} and delivery.status = 'pending' and delivery.endpoint_id = endpoint.id
      and event.id = delivery.event_id and not ${getsEvent(sql)}`
}
