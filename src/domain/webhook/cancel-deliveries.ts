import { getsEvent } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import { handedOver } from './delivery-sources.ts'

/** Gives up everything that still waits for these endpoints, attempts under way included. */
export const cancelDeliveries = async (
  { sql }: Context,
  endpointIds: readonly string[],
): Promise<void> => {
  await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where endpoint_id = any(${[...endpointIds]}::uuid[]) and status = 'pending'`
}

/**
 * Cancels deliveries of events that a user's endpoints no longer get, because they no longer see
 * all. A delivery that a worker holds gets a cancelled row, which counts instead of its result.
 */
export const cancelForeignDeliveries = async ({ sql }: Context, userId: string): Promise<void> => {
  const foreign = sql`
    delivery.endpoint_id = endpoint.id and event.id = delivery.event_id and owner.id = ${userId}
    and not ${getsEvent(sql)}`
  await sql`
    with held as (
      insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq, status,
                                    created_at)
      select delivery.id, event.id, endpoint.id, event.campaign_id, event.seq, 'cancelled',
             delivery.created_at
      from ${handedOver(sql)} delivery, event,
           webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
      where ${foreign}
      on conflict do nothing
    )
    update webhook_delivery delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    from event, webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
    where ${foreign} and delivery.status = 'pending'`
}
