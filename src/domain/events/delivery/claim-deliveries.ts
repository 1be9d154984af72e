import type { Context } from '../../../db/context.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import {
  ableEndpoints,
  type ClaimQuery,
  chosenDeliveries,
  dueDeliveries,
  firstInOrder,
  lockedEndpoints,
  nextSlots,
  servedEndpoints,
  waitingEndpoints,
} from './claim-parts.ts'
import {
  type ClaimedDelivery,
  type EndpointKeys,
  type OpenEndpoint,
  openEndpoint,
} from './claimed-delivery.ts'

type ClaimOptions = Partial<Pick<ClaimQuery, 'lane' | 'slow'>> &
  Pick<ClaimQuery, 'limit' | 'perEndpoint'> & {
    /** The time until the lease ends, which is longer than an attempt can take. */
    leaseMs: number
  }

/** `nextSlotAt` is when the rate limit allows the next delivery; null without a rate limit. */
type Claim = ClaimedDelivery & { nextSlotAt: Date | null }

type Row = Omit<Claim, 'lease' | 'degraded' | 'signers' | 'headers'> & EndpointKeys

/**
 * Claims due deliveries, round-robin over the active endpoints. Endpoints with the fewest attempts
 * in flight come first, so that a backlog or a slow receiver does not delay other endpoints. If a
 * worker dies, its leases end by the database's clock and its deliveries are due again.
 *
 * Rate limits and the order of events also hold for several workers, because only one worker at a
 * time claims for such an endpoint. The parts of the SQL are in claim-parts.ts.
 */
export const claimDeliveries = async (ctx: Context, options: ClaimOptions): Promise<Claim[]> => {
  const { sql } = ctx
  const now = ctx.clock.now()
  const lease = newId(now.getTime())
  const { leaseMs, lane, slow = [], ...rest } = options
  const query: ClaimQuery = { sql, now, lane, slow, ...rest }
  const rows = await sql<Row[]>`
    with recursive
    ${waitingEndpoints(query)},
    ${ableEndpoints(query)},
    ${lockedEndpoints(query)},
    ${servedEndpoints(query)},
    ${firstInOrder(query)},
    ${dueDeliveries(query)},
    ${chosenDeliveries(query)},
    ${nextSlots(query)}
    update webhook_delivery delivery
    set lease = ${lease}, lease_until = now() + ${leaseMs}::int * interval '1 ms'
    from chosen left join slot on slot.id = chosen.endpoint_id, event, webhook_endpoint endpoint
    where delivery.id = chosen.id and event.id = delivery.event_id
      and endpoint.id = delivery.endpoint_id
    returning delivery.id, delivery.endpoint_id, delivery.attempts, delivery.schedule_attempts,
              delivery.event_id, slot.next_slot_at, event.test, event.body, event.request_id,
              event.trace_parent, endpoint.url, endpoint.secret_sealed,
              endpoint.previous_secret_sealed, endpoint.previous_secret_until,
              endpoint.headers_sealed`
  const degraded = lane === 'degraded'
  const opened = new Map<string, OpenEndpoint>()
  return rows.map((row) => {
    const { secretSealed, previousSecretSealed, previousSecretUntil, headersSealed, ...delivery } =
      row
    const endpoint = opened.get(row.endpointId) ?? openEndpoint(ctx, row)
    opened.set(row.endpointId, endpoint)
    return { ...delivery, ...endpoint, lease, degraded }
  })
}

/** Ends the lease on deliveries that were not attempted. Any worker may claim them at once. */
export const releaseDeliveries = async (
  { sql, clock }: Context,
  deliveries: readonly { id: string; lease: string }[],
): Promise<void> => {
  await sql`
    update webhook_delivery delivery
    set lease = null, lease_until = null, next_attempt_at = ${clock.now()}
    from unnest(
      ${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ lease }) => lease)}::uuid[]
    ) as given (id, lease)
    where delivery.id = given.id and delivery.lease = given.lease`
}
