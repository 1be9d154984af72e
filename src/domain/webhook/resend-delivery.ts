import { onCommit, withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { unpackDelivered } from './delivered.ts'
import { handedOver } from './delivery-sources.ts'
import {
  type DeliveryRow,
  type DeliveryView,
  deliveryColumns,
  toDeliveryView,
} from './delivery-view.ts'
import { noDelivery } from './get-delivery.ts'
import { ownOpenEndpoint, stillGets } from './own-endpoint.ts'

/**
 * Makes a delivery due now, whatever became of it, at the beginning of the schedule. The same event
 * with the same id: a receiver that has it drops it. To a paused endpoint it goes when that goes on.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `forbidden` for an event that the endpoint does
 *   not get any more, `conflict` where an attempt is under way or the endpoint is disabled
 */
export const resendDelivery = (
  context: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView> =>
  withTransaction(context, async (context) => {
    const { sql, clock } = context
    const endpoint = await ownOpenEndpoint(context, endpointId)
    const now = clock.now()
    if (!isId(deliveryId)) throw noDelivery()
    const [handed] = await sql`
      select from ${handedOver(sql)} delivery
      where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
    if (handed) throw underWay()
    await unpackDelivered(context, endpoint.id, [deliveryId])
    const [found] = await sql<{ under_way: boolean; allowed: boolean }[]>`
      select coalesce(lease is not null and lease_until > ${now}, false) as under_way,
             ${stillGets(sql, endpoint)} as allowed
      from webhook_delivery delivery join event on event.id = delivery.event_id
      where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}
      for update of delivery`
    if (!found) throw noDelivery()
    if (!found.allowed) {
      throw new DomainError('forbidden', 'This endpoint gets no events of other people any more.')
    }
    if (found.under_way) throw underWay()
    const [row] = await sql<DeliveryRow[]>`
      update webhook_delivery delivery
      set status = 'pending', schedule_attempts = 0, next_attempt_at = ${now},
          delivered_at = null, lease = null, lease_until = null
      from event
      where delivery.id = ${deliveryId} and event.id = delivery.event_id
      returning ${deliveryColumns(context)}`
    if (!row) throw noDelivery()
    onCommit(context, () => context.wake('deliveries'))
    return toDeliveryView(row)
  })

const underWay = () => new DomainError('conflict', 'An attempt at this delivery is under way.')
