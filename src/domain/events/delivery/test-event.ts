import type { Context } from '../../../db/context.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { ALL_EVENTS, type EventType, eventData } from '../../../outbox/events.ts'
import { packBody } from '../../../outbox/pack-body.ts'
import { ownOpenEndpoint } from '../webhook/get-endpoint.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

type TestDelivery = { eventId: string; event: EventType; created: Date; deliveryId: string }

type Sample = {
  event: EventType
  /** The event's data, not yet checked against the schema of its event type. */
  data: unknown
}

/**
 * Sends a test event to an endpoint of the caller, even if the endpoint does not subscribe to the
 * event's type. A paused endpoint gets the event when it is resumed. Without `event`, the type is
 * the first type of the endpoint's subscription, or `donation.completed`.
 *
 * @throws DomainError `unauthenticated` for an anonymous caller, `not_found` for an unknown
 *   endpoint, `conflict` if the endpoint is disabled
 */
export const sendTest = (
  ctx: Context,
  endpointId: string,
  { event, sampleOf }: { event?: EventType | undefined; sampleOf: (type: EventType) => unknown },
): Promise<TestDelivery> =>
  withTransaction(ctx, async (ctx) => {
    const endpoint = await ownOpenEndpoint(ctx, endpointId)
    const chosen =
      event ?? endpoint.events.find((type) => type !== ALL_EVENTS) ?? 'donation.completed'
    const sample = { event: chosen, data: sampleOf(chosen) }
    const { id, created, deliveries } = await writeTestEvent(ctx, sample, endpoint.userId, [
      endpoint.id,
    ])
    return { eventId: id, event: chosen, created, deliveryId: deliveries[0]?.id ?? '' }
  })

/**
 * Writes a test event for a user's endpoints, in the caller's transaction. No feed shows test
 * events, not even the feed of an administrator.
 */
export const writeTestEvent = async (
  ctx: Context,
  { event, data }: Sample,
  userId: string,
  endpointIds: readonly string[],
): Promise<{ id: string; created: Date; deliveries: NewDelivery[] }> => {
  const { sql, clock, requestId, traceParent = null } = ctx
  const created = clock.now()
  const id = newId(created.getTime())
  const checked = eventData[event].parse(data)
  const envelope = { id, event, created: created.toISOString(), test: true, data: checked }
  await sql`
    insert into event (id, type, audience, packed, request_id, trace_parent, test, created_at)
    values (${id}, ${event}, ${[userId]}::uuid[],
            ${packBody(envelope, { audience: [userId], campaignId: null })}, ${requestId},
            ${traceParent}, true, ${created})`
  const deliveries = endpointIds.map((endpointId) => ({
    id: newId(created.getTime()),
    eventId: id,
    endpointId,
  }))
  await storeDeliveries(ctx, deliveries)
  onCommit(ctx, () => ctx.wake('deliveries'))
  return { id, created, deliveries }
}
