import { onCommit, withTransaction } from '../../db/transaction.ts'
import { newId } from '../../kernel/ids.ts'
import { ALL_EVENTS, type EventType, eventData } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { ownOpenEndpoint } from '../webhook/index.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

export type TestDelivery = { eventId: string; event: EventType; created: Date; deliveryId: string }

type Sample = {
  event: EventType
  /** What such an event carries; checked against the catalogue. */
  data: unknown
}

/**
 * Sends an event that never happened to one endpoint of the caller, whatever types it asked for,
 * with `test: true` in its envelope, signed and tried as any other. To a paused one it goes when
 * that goes on. `sampleOf` is asked for the endpoint's first type where none is named.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `conflict` where the endpoint is disabled
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
    const { id, created, deliveries } = await writeTestEvent(ctx, sample, endpoint.user_id, [
      endpoint.id,
    ])
    return { eventId: id, event: chosen, created, deliveryId: deliveries[0]?.id ?? '' }
  })

/**
 * Writes a test event for these endpoints of one user, in the caller's transaction. It is in no
 * feed, and concerns nobody else, admins included.
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
    insert into event (id, type, audience, body, request_id, trace_parent, test, created_at,
                       relayed_at)
    values (${id}, ${event}, ${[userId]}::uuid[], ${JSON.stringify(envelope)}, ${requestId},
            ${traceParent}, true, ${created}, ${created})`
  const deliveries = endpointIds.map((endpointId) => ({
    id: newId(created.getTime()),
    eventId: id,
    endpointId,
  }))
  await storeDeliveries(ctx, deliveries)
  onCommit(ctx, () => ctx.wake('deliveries'))
  return { id, created, deliveries }
}
