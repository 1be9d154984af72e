import { onCommit, withTransaction } from '../../db/transaction.ts'
import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { endpointsOf } from '../webhook/index.ts'
import { type ClaimedDelivery, type EndpointKeys, openEndpoints } from './claimed-delivery.ts'
import { type NewDelivery, storeDeliveries } from './store-deliveries.ts'

/** Events that one worker dispatches now. Their deliveries have no rows until `recordDispatches`. */
export type Dispatch = { lease: string; eventIds: string[]; deliveries: ClaimedDelivery[] }

export type LeaseOptions = {
  /** Events in one call. */
  limit: number
  /** Deliveries that the worker can send at once; the others become rows that are due. */
  room: number
  /** Longer than a dispatch takes. */
  leaseMs: number
  /** Endpoints to which this worker sends nothing at once. */
  slow?: readonly string[]
}

type Row = {
  id: string
  seq: number
  type: string
  campaign_id: string | null
  body: string
  request_id: string | null
  trace_parent: string | null
  endpoint_ids: string[]
  prompt_ids: string[]
}

/**
 * Takes the oldest events that have no deliveries yet, at most `limit`, and makes their deliveries:
 * one for each active or paused endpoint that asked for the type and may see the event.
 *
 * A delivery to an endpoint that answers, and asks for neither order nor a limit, is the caller's
 * to send at once. Every other delivery gets a row that is due. Events are leased until
 * `recordDispatches`: when a worker dies, its lease ends and the events are dispatched again. The
 * unique key (event, endpoint) leaves out what was recorded before.
 *
 * @returns how many events there were, and the deliveries to send
 */
export const leaseEvents = (
  ctx: Context,
  options: LeaseOptions,
): Promise<Dispatch & { events: number }> =>
  withTransaction(ctx, async (ctx) => {
    const lease = newId()
    const rows = await oldestEvents(ctx, options.limit)
    if (rows.length === 0) return { lease, events: 0, eventIds: [], deliveries: [] }
    const { deliveries, due } = await divide(ctx, rows, lease, options)
    if (due.length > 0) {
      await storeDeliveries(ctx, due)
      onCommit(ctx, () => ctx.wake('deliveries'))
    }
    const eventIds = [...new Set(deliveries.map(({ eventId }) => eventId))]
    await ctx.sql`
      update event
      set lease = ${lease},
          lease_until = now() + ${options.leaseMs}::int * interval '1 ms',
          relayed_at = case when id <> all(${eventIds}::uuid[])
                            then ${ctx.clock.now()}::timestamptz end
      where id = any(${rows.map(({ id }) => id)}::uuid[])`
    return { lease, events: rows.length, eventIds, deliveries }
  })

/**
 * Events are found by their state and never by a position: a sequence number is taken before its
 * transaction commits, so a lower number can appear after a higher one was read.
 */
const oldestEvents = ({ sql }: Context, limit: number): Promise<Row[]> => sql<Row[]>`
  select event.id, event.seq, event.type, event.campaign_id, event.body, event.request_id,
         event.trace_parent, reader.endpoint_ids, reader.prompt_ids
  from event cross join lateral (
    select coalesce(array_agg(id), '{}') as endpoint_ids,
           coalesce(array_agg(id) filter (where prompt), '{}') as prompt_ids
    from (
      select endpoint.id,
             endpoint.status = 'active' and not endpoint.ordered
               and endpoint.rate_per_minute is null and endpoint.failing_since is null
               and endpoint.answered_at is not null as prompt
      from (${endpointsOf(sql)}) endpoint
      -- Only events of a dead worker have some of their deliveries already.
      where event.lease is null or not exists (
        select from webhook_delivery
        where event_id = event.id and endpoint_id = endpoint.id)
    ) endpoint
  ) reader
  where event.relayed_at is null and (event.lease_until is null or event.lease_until <= now())
  order by event.seq limit ${limit} for update of event skip locked`

/** The deliveries to send at once, and the rows of all others. */
const divide = async (
  ctx: Context,
  rows: readonly Row[],
  lease: string,
  { room, slow = [] }: LeaseOptions,
): Promise<{ deliveries: ClaimedDelivery[]; due: NewDelivery[] }> => {
  const createdAt = ctx.clock.now()
  const avoided = new Set(slow)
  const open = room > 0 ? await openPrompt(ctx, rows) : new Map()
  const deliveries: ClaimedDelivery[] = []
  const due: NewDelivery[] = []
  for (const row of rows) {
    const prompt = new Set(row.prompt_ids)
    const body = Buffer.from(row.body)
    for (const endpointId of row.endpoint_ids) {
      const event = {
        id: newId(createdAt.getTime()),
        eventId: row.id,
        endpointId,
        eventType: row.type,
        campaignId: row.campaign_id,
        eventSeq: row.seq,
        createdAt,
      }
      const endpoint = prompt.has(endpointId) ? open.get(endpointId) : undefined
      if (endpoint && deliveries.length < room && !avoided.has(endpointId)) {
        deliveries.push({
          ...event,
          ...endpoint,
          ...{ lease, body, test: false, attempts: 0, scheduleAttempts: 0, troubled: false },
          requestId: row.request_id,
          traceParent: row.trace_parent,
        })
      } else due.push({ ...event, ...DUE, nextAttemptAt: createdAt })
    }
  }
  return { deliveries, due }
}

const DUE = { status: 'pending', attempt: null, deliveredAt: null, lease: null } as const

const openPrompt = async (ctx: Context, rows: readonly Row[]) => {
  const ids = [...new Set(rows.flatMap((row) => row.prompt_ids))]
  if (ids.length === 0) return new Map()
  const endpoints = await ctx.sql<EndpointKeys[]>`
    select id, url, secret_sealed, previous_secret_sealed, previous_secret_until, headers_sealed
    from webhook_endpoint where id = any(${ids}::uuid[]) and status = 'active'`
  return openEndpoints(ctx, endpoints)
}
