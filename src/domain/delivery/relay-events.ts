import { onCommit, withTransaction } from '../../db/transaction.ts'
import { newId } from '../../kernel/ids.ts'
import { asksFor, seesAll } from '../../outbox/sees-all.ts'
import type { Context } from '../context.ts'
import {
  type ClaimedDelivery,
  type EndpointKeys,
  type OpenEndpoint,
  openEndpoints,
} from './claimed-delivery.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

export type RelayOptions = {
  /** Events in one call. */
  limit: number
  /** Deliveries that the worker can take. */
  room: number
  /** Of the deliveries that it takes: longer than an attempt can take. */
  leaseMs: number
  /** Endpoints for which it takes none. */
  avoid?: readonly string[]
}

type Row = {
  id: string
  body: string
  request_id: string | null
  trace_parent: string | null
  endpoint_ids: string[]
}

/**
 * Takes the oldest events that have no deliveries yet, at most `limit`, and writes their deliveries:
 * one for each active or paused endpoint that asked for the type and may see the event.
 *
 * Those to endpoints that answer, and want neither order nor a limit, belong to the caller from the
 * beginning, as if it had claimed them. All others are due.
 *
 * @returns how many events there were, and the caller's deliveries
 */
export const relayEvents = (
  ctx: Context,
  { limit, room, leaseMs, avoid = [] }: RelayOptions,
): Promise<{ events: number; deliveries: ClaimedDelivery[] }> =>
  withTransaction(ctx, async (ctx) => {
    const events = await oldestEvents(ctx, limit)
    if (events.length === 0) return { events: 0, deliveries: [] }
    const now = ctx.clock.now()
    const lease = newId(now.getTime())
    const prompt = await promptEndpoints(ctx, events, avoid)
    const due: NewDelivery[] = []
    const deliveries: ClaimedDelivery[] = []
    for (const { id: eventId, request_id, trace_parent, ...event } of events) {
      const shared = { eventId, body: Buffer.from(event.body), ...UNTRIED, lease }
      const traced = { ...shared, requestId: request_id, traceParent: trace_parent }
      for (const endpointId of event.endpoint_ids) {
        const id = newId(now.getTime())
        const endpoint = deliveries.length < room ? prompt.get(endpointId) : undefined
        if (endpoint) deliveries.push({ id, endpointId, ...traced, ...endpoint })
        else due.push({ id, eventId, endpointId })
      }
    }
    await storeDeliveries(ctx, deliveries, { lease, leaseMs })
    await storeDeliveries(ctx, due)
    await ctx.sql`
      update event set relayed_at = ${now} where id = any(${events.map(({ id }) => id)}::uuid[])`
    if (due.length > 0) onCommit(ctx, () => ctx.wake('deliveries'))
    return { events: events.length, deliveries }
  })

const UNTRIED = { test: false, attempts: 0, scheduleAttempts: 0, troubled: false }

/**
 * Events are found by their state and never by a position: a sequence number is taken before its
 * transaction commits, so a lower number can appear after a higher one was read.
 */
const oldestEvents = async ({ sql }: Context, limit: number): Promise<Row[]> => {
  // Held, so that an endpoint that sees all no longer loses that before it has its deliveries.
  const seeAll = await sql<{ id: string }[]>`
    select endpoint.id
    from webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
    where ${seesAll(sql)} and endpoint.status in ('active', 'paused') for share`
  return sql<Row[]>`
    select event.id, event.body, event.request_id, event.trace_parent, array(
             select endpoint.id from webhook_endpoint endpoint
             where (endpoint.user_id = any(event.audience)
                    or endpoint.id = any(${seeAll.map(({ id }) => id)}::uuid[]))
               and endpoint.status in ('active', 'paused') and ${asksFor(sql, sql`event.type`)}
           ) as endpoint_ids
    from event where event.relayed_at is null
    order by event.seq limit ${limit} for update skip locked`
}

/** Endpoints that may be sent something at once: nothing that is due waits for them. */
const promptEndpoints = async (
  ctx: Context,
  events: readonly Row[],
  avoid: readonly string[],
): Promise<Map<string, OpenEndpoint>> => {
  const ids = new Set(events.flatMap((event) => event.endpoint_ids)).difference(new Set(avoid))
  const endpoints = await ctx.sql<EndpointKeys[]>`
    select id, url, secret_sealed, previous_secret_sealed, previous_secret_until, headers_sealed
    from webhook_endpoint endpoint
    where id = any(${[...ids]}::uuid[]) and status = 'active' and not ordered
      and rate_per_minute is null and failing_since is null and answered_at is not null
      and not exists (
        select from webhook_delivery
        where endpoint_id = endpoint.id and status = 'pending' and lease is null
          and next_attempt_at <= ${ctx.clock.now()})`
  return openEndpoints(ctx, endpoints)
}
