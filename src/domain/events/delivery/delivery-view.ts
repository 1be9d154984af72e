import type { Context } from '../../../db/context.ts'
import type { WebhookDelivery } from '../../../db/schema/events.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { EventType } from '../../../outbox/events.ts'

export type DeliveryView = Pick<
  WebhookDelivery,
  'id' | 'eventId' | 'campaignId' | 'status' | 'nextAttemptAt' | 'deliveredAt' | 'createdAt'
> & {
  event: EventType
  test: boolean
  /** The number of all attempts, including the attempts before a resend. */
  attempts: number
}

/** SQL for the columns of a {@link DeliveryView}, from a table named `delivery`. */
export const deliveryColumns = ({ sql }: Context) => sql`
  delivery.id, delivery.event_id, delivery.event_type as event, delivery.campaign_id,
  (select event.test from event where event.id = delivery.event_id) as test,
  delivery.status, delivery.attempts,
  case when delivery.lease_until > now() then delivery.lease_until
       else delivery.next_attempt_at end as next_attempt_at,
  delivery.delivered_at, delivery.created_at`

export const unknownDelivery = () =>
  new DomainError('not_found', 'There is no such delivery to this webhook endpoint.')
