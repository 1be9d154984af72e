import type { Context } from '../../../db/context.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import { ownOpenEndpoint, stillGets } from '../webhook/get-endpoint.ts'
import { type DeliveryView, deliveryColumns, unknownDelivery } from './delivery-view.ts'

/**
 * Makes a delivery of any status due now, and restarts its retry schedule. The event keeps its id,
 * so a receiver can drop a duplicate. A paused endpoint gets the delivery when it is resumed.
 *
 * @throws DomainError `unauthenticated` for an anonymous caller, `not_found` for an unknown
 *   delivery, `forbidden` if the endpoint may not get the event any more, `conflict` if the
 *   endpoint is disabled or an attempt is in flight
 */
export const resendDelivery = (
  ctx: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    const endpoint = await ownOpenEndpoint(ctx, endpointId)
    const [found] = isId(deliveryId)
      ? await sql<{ inFlight: boolean; allowed: boolean }[]>`
          select coalesce(delivery.lease_until > now(), false) as in_flight,
                 ${stillGets(sql, endpoint)} as allowed
          from webhook_delivery delivery join event on event.id = delivery.event_id
          where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}
          for update of delivery`
      : []
    if (!found) throw unknownDelivery()
    if (!found.allowed) {
      throw new DomainError(
        'forbidden',
        'This endpoint may not get events of other users any more.',
      )
    }
    if (found.inFlight) {
      throw new DomainError('conflict', 'An attempt at this delivery is in flight.')
    }
    const [row] = await sql<DeliveryView[]>`
      update webhook_delivery delivery
      set status = 'pending', schedule_attempts = 0, next_attempt_at = ${ctx.clock.now()},
          delivered_at = null, lease = null, lease_until = null
      where delivery.id = ${deliveryId}
      returning ${deliveryColumns(ctx)}`
    if (!row) throw unknownDelivery()
    onCommit(ctx, () => ctx.wake('deliveries'))
    return row
  })
