import type { DeliveryStatus } from '../../kernel/statuses.ts'
import type { EventType } from '../../outbox/events.ts'
import type { Context } from '../context.ts'

export type DeliveryView = {
  id: string
  eventId: string
  event: EventType
  campaignId: string | null
  /** The delivery of a test event, which the owner requested. */
  test: boolean
  status: DeliveryStatus
  /** All attempts, also those before it was resent. */
  attempts: number
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
}

export type DeliveryRow = {
  id: string
  eventId: string
  eventType: EventType
  campaignId: string | null
  test: boolean
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
}

/** The columns of a DeliveryRow, from a table named `delivery`. */
export const deliveryColumns = ({ sql }: Context) => sql`
  delivery.id, delivery.event_id, delivery.event_type, delivery.campaign_id,
  (select event.test from event where event.id = delivery.event_id) as test,
  delivery.status, delivery.attempts,
  case when delivery.lease_until > now() then delivery.lease_until
       else delivery.next_attempt_at end as next_attempt_at,
  delivery.delivered_at, delivery.created_at`

export const toDeliveryView = (row: DeliveryRow): DeliveryView => ({
  id: row.id,
  eventId: row.eventId,
  event: row.eventType,
  campaignId: row.campaignId,
  test: row.test,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt,
  deliveredAt: row.deliveredAt,
  createdAt: row.createdAt,
})
