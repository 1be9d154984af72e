import type { Context } from '../../../db/context.ts'
import type { Event } from '../../../db/schema/events.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { asksFor, seesAll } from '../../../outbox/sees-all.ts'
import {
  type ClaimedDelivery,
  type EndpointKeys,
  type OpenEndpoint,
  openEndpoint,
} from './claimed-delivery.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

type RelayOptions = {
  limit: number
  /** The number of deliveries that the worker can attempt at once. */
  capacity: number
  /** The length of the lease on returned deliveries, which is longer than an attempt can take. */
  leaseMs: number
  /** The ids of endpoints whose deliveries are not returned, but wait for `claimDeliveries`. */
  avoid?: readonly string[]
}

type Row = Pick<Event, 'id' | 'requestId' | 'traceParent'> & {
  body: string
  endpointIds: string[]
}

/**
 * Writes deliveries for the oldest events that have no deliveries yet: one delivery for each active
 * or paused endpoint that subscribes to the event's type and may see the event.
 *
 * Gives the caller a lease on at most `capacity` of these deliveries and returns them, so that the
 * caller attempts them at once. These deliveries go to healthy endpoints without order and rate
 * limit. All other deliveries wait for `claimDeliveries`.
 *
 * @returns the number of events, and the deliveries to attempt at once
 */
export const relayEvents = (
  ctx: Context,
  { limit, capacity, leaseMs, avoid = [] }: RelayOptions,
): Promise<{ events: number; deliveries: ClaimedDelivery[] }> =>
  withTransaction(ctx, async (ctx) => {
    const events = await takeOldest(ctx, limit)
    if (events.length === 0) return { events: 0, deliveries: [] }
    const now = ctx.clock.now()
    const lease = newId(now.getTime())
    const healthy = await healthyEndpoints(ctx, events, avoid)
    const due: NewDelivery[] = []
    const deliveries: ClaimedDelivery[] = []
    for (const { id: eventId, body, endpointIds, ...cause } of events) {
      const shared = { eventId, body: Buffer.from(body), ...cause, ...UNTRIED, lease }
      for (const endpointId of endpointIds) {
        const id = newId(now.getTime())
        const endpoint = deliveries.length < capacity ? healthy.get(endpointId) : undefined
        if (endpoint) deliveries.push({ id, endpointId, ...shared, ...endpoint })
        else due.push({ id, eventId, endpointId })
      }
    }
    await storeDeliveries(ctx, deliveries, { lease, leaseMs })
    await storeDeliveries(ctx, due)
    if (due.length > 0) onCommit(ctx, () => ctx.wake('deliveries'))
    return { events: events.length, deliveries }
  })

const UNTRIED = { test: false, attempts: 0, scheduleAttempts: 0, degraded: false }

/**
 * Takes events without deliveries, not events after a sequence number. An event gets its number
 * before its commit, so a lower number can become visible after a higher number was read.
 */
const takeOldest = async ({ sql }: Context, limit: number): Promise<Row[]> => {
  // While the deliveries are written, this lock keeps the right of endpoints to see all events.
  const seeAll = await sql<{ id: string }[]>`
    select endpoint.id
    from webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
    where ${seesAll(sql)} and endpoint.status in ('active', 'paused') for share`
  return sql<Row[]>`
    with taken as materialized (
      delete from unrelayed_event where seq = any(array(
        select seq from unrelayed_event order by seq limit ${limit} for update skip locked))
      returning seq
    )
    select event.id, event.body, event.request_id, event.trace_parent, array(
             select endpoint.id from webhook_endpoint endpoint
             where (endpoint.user_id = any(event.audience)
                    or endpoint.id = any(${seeAll.map(({ id }) => id)}::uuid[]))
               and endpoint.status in ('active', 'paused') and ${asksFor(sql, sql`event.type`)}
           ) as endpoint_ids
    from taken cross join lateral (
      select event.*, event.body from event where event.seq = taken.seq offset 0) event
    order by event.seq`
}

/** Reads endpoints that work, and that have no order, no rate limit and no due deliveries. */
const healthyEndpoints = async (
  ctx: Context,
  events: readonly Row[],
  avoid: readonly string[],
): Promise<Map<string, OpenEndpoint>> => {
  const ids = new Set(events.flatMap((event) => event.endpointIds)).difference(new Set(avoid))
  const endpoints = await ctx.sql<(EndpointKeys & { id: string })[]>`
    select id, url, secret_sealed, previous_secret_sealed, previous_secret_until, headers_sealed
    from webhook_endpoint endpoint
    where id = any(${[...ids]}::uuid[]) and status = 'active' and not ordered
      and rate_per_minute is null and failing_since is null and answered_at is not null
      and not exists (
        select from webhook_delivery
        where endpoint_id = endpoint.id and status = 'pending' and lease is null
          and next_attempt_at <= ${ctx.clock.now()})`
  return new Map(endpoints.map(({ id, ...keys }) => [id, openEndpoint(ctx, keys)]))
}
