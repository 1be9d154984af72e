import { onCommit, withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { outcomeOf, storedAttempt } from './attempt-outcome.ts'
import type { AttemptResult, ClaimedDelivery } from './claimed-delivery.ts'
import { noteHealth } from './endpoint-health.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

/** What became of the deliveries of one dispatch. */
export type DispatchResult = {
  lease: string
  eventIds: readonly string[]
  results: readonly AttemptResult[]
  /** Sent, without an answer so far: they stay leased to this worker. */
  inFlight: readonly ClaimedDelivery[]
  /** Not sent: they are due at once. */
  unsent: readonly ClaimedDelivery[]
}

/**
 * Writes the rows of dispatched deliveries and marks their events as relayed, in one transaction.
 * A delivery that another worker has recorded meanwhile is left as it is.
 *
 * @param leaseMs for deliveries in flight: longer than an attempt can take
 */
export const recordDispatches = (
  ctx: Context,
  dispatches: readonly DispatchResult[],
  leaseMs: number,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const results = dispatches.flatMap((each) => each.results)
    const inFlight = dispatches.flatMap((each) => each.inFlight)
    const unsent = dispatches.flatMap((each) => each.unsent)
    const pending = { status: 'pending', attempt: null, deliveredAt: null } as const
    const rows: NewDelivery[] = [
      ...results.map(({ delivery, result }) => ({
        ...newRow(delivery),
        ...outcomeOf(1, result, now),
        attempt: storedAttempt(result),
        lease: null,
      })),
      ...inFlight.map((each) => ({
        ...newRow(each),
        ...pending,
        nextAttemptAt: now,
        lease: each.lease,
      })),
      ...unsent.map((each) => ({ ...newRow(each), ...pending, nextAttemptAt: now, lease: null })),
    ]
    const stored = await storeDeliveries(ctx, rows, leaseMs)
    await ctx.sql`
      update event set relayed_at = ${now}
      from unnest(
        ${dispatches.flatMap(({ eventIds }) => eventIds)}::uuid[],
        ${dispatches.flatMap(({ eventIds, lease }) => eventIds.map(() => lease))}::uuid[]
      ) as sent (id, lease)
      where event.id = sent.id and event.lease = sent.lease and event.relayed_at is null`
    await noteHealth(
      ctx,
      results.filter(({ delivery }) => stored.has(delivery.id)),
    )
    if (unsent.length > 0) onCommit(ctx, () => ctx.wake('deliveries'))
  })

const newRow = (delivery: ClaimedDelivery) => ({
  id: delivery.id,
  eventId: delivery.eventId,
  endpointId: delivery.endpointId,
  eventType: delivery.eventType,
  campaignId: delivery.campaignId,
  eventSeq: delivery.eventSeq,
  createdAt: delivery.createdAt,
})
