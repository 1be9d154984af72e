import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import {
  ableEndpoints,
  type ClaimQuery,
  chosenDeliveries,
  dueDeliveries,
  firstInOrder,
  lockedEndpoints,
  servedEndpoints,
  takenSlots,
  waitingEndpoints,
} from './claim-parts.ts'
import { type ClaimedDelivery, type EndpointKeys, openEndpoints } from './claimed-delivery.ts'

export type ClaimOptions = Partial<Pick<ClaimQuery, 'lane' | 'slow'>> &
  Pick<ClaimQuery, 'limit' | 'perEndpoint'> & {
    /** Longer than an attempt can take. */
    leaseMs: number
  }

/** `nextSlotAt`: when the rate limit of the endpoint lets the next one out; null without a limit. */
export type Claim = ClaimedDelivery & { nextSlotAt: Date | null }

type Row = {
  id: string
  endpoint_id: string
  attempts: number
  schedule_attempts: number
  next_slot_at: Date | null
  event_id: string
  test: boolean
  body: string
  request_id: string | null
  trace_parent: string | null
} & Omit<EndpointKeys, 'id'>

/**
 * Takes pending deliveries that are due, in turns over the endpoints: endpoints with the fewest
 * attempts in flight come first, and chance decides between equals. So neither a backlog nor a slow
 * receiver holds up the others. Deliveries to paused endpoints wait.
 *
 * A worker that dies leaves its deliveries due again when their leases end, by the database's clock.
 * Rate limits and order hold over all workers, because one worker at a time claims for an endpoint
 * that has one. The parts of the statement are in claim-parts.ts.
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
    ${takenSlots(query)}
    update webhook_delivery delivery
    set lease = ${lease}, lease_until = now() + ${leaseMs}::int * interval '1 ms'
    from chosen left join slot on slot.id = chosen.endpoint_id, event, webhook_endpoint endpoint
    where delivery.id = chosen.id and event.id = delivery.event_id
      and endpoint.id = delivery.endpoint_id
    returning delivery.id, delivery.endpoint_id, delivery.attempts, delivery.schedule_attempts,
              delivery.event_id, slot.next_slot_at, event.test, event.body, event.request_id, event.trace_parent, endpoint.url,
              endpoint.secret_sealed, endpoint.previous_secret_sealed,
              endpoint.previous_secret_until, endpoint.headers_sealed`
  const open = openEndpoints(
    ctx,
    rows.map((row) => ({ ...row, id: row.endpoint_id })),
  )
  return rows.flatMap((row) => {
    const endpoint = open.get(row.endpoint_id)
    if (!endpoint) return []
    const delivery = {
      id: row.id,
      endpointId: row.endpoint_id,
      test: row.test,
      lease,
      attempts: row.attempts,
      scheduleAttempts: row.schedule_attempts,
      troubled: lane === 'troubled',
      eventId: row.event_id,
      body: row.body,
      requestId: row.request_id,
      traceParent: row.trace_parent,
      nextSlotAt: row.next_slot_at,
      ...endpoint,
    }
    return [delivery]
  })
}
