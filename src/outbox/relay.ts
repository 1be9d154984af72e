import type { Queryable } from '../db/client.ts'
import type { Context } from '../db/context.ts'
import { onCommit, withTransaction } from '../db/transaction.ts'
import { idsOf, MAX_IDS_OF_MS, newId } from '../kernel/ids.ts'
import { seesAll } from './sees-all.ts'

type Row = {
  id: string
  seq: number
  type: string
  campaign_id: string | null
  body: string
  request_id: string | null
  trace_parent: string | null
  endpoint_ids: string[]
  /** Those of them that ask for no order and no limit, and do not fail. */
  prompt_ids: string[]
}

/** A delivery that whoever relays makes at once: it is written with its first result. */
export type HandedDelivery = {
  /** Made in the millisecond in which its event was relayed: by that it is found where it is stored. */
  id: string
  endpointId: string
  eventId: string
  eventType: string
  /** In UTF-8, encoded once for all endpoints. */
  body: Uint8Array
  requestId: string | null
  traceParent: string | null
}

/** Deliveries that one process holds until the lease ends, as one row. */
export type Handover = { id: string; leasedAt: Date; deliveries: HandedDelivery[] }

/** Who makes deliveries at once. */
export type HandoverTaker = {
  leaseMs: number
  /** How many deliveries it takes now. */
  room(): number
  /** How many of them to an endpoint. */
  roomFor(endpointId: string): number
  /** Called when the handover is committed. */
  take(handover: Handover): void
}

/**
 * Turns events into deliveries: one for each active or paused endpoint that asked for the type and
 * whose owner the event concerns, or that sees all. Each event is relayed once, whatever crashes.
 *
 * Events are claimed by their state, never by a position read up to: a sequence is taken before
 * its transaction commits, so a lower one can appear after a higher one has been seen. Two relays
 * at once share the events between them: a claim that keeps order looks for itself whether what
 * was earlier is still with the other one.
 *
 * What `taker` has room for, at endpoints that answer and want neither order nor a slower pace, is
 * handed to it, all of it as one row; the others become a row each that is due.
 *
 * @returns how many events were relayed, at most `limit`
 */
export const relayEvents = (
  context: Context,
  { limit, taker }: { limit: number; taker?: HandoverTaker },
): Promise<number> =>
  withTransaction(context, async (context) => {
    const { sql } = context
    const events = await sql<Row[]>`
      select event.id, event.seq, event.type, event.campaign_id, event.body, event.request_id,
             event.trace_parent, reader.endpoint_ids, reader.prompt_ids
      from event cross join lateral (
        select coalesce(array_agg(id), '{}') as endpoint_ids,
               coalesce(array_agg(id) filter (where prompt), '{}') as prompt_ids
        from (
          select endpoint.id, ${isPrompt(sql)} as prompt from webhook_endpoint endpoint
          where endpoint.user_id = any(event.audience)
            and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)
          union
          select endpoint.id, ${isPrompt(sql)} as prompt from app_user owner
          join webhook_endpoint endpoint on endpoint.user_id = owner.id
          where ${seesAll(sql)}
            and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)
        ) endpoint
      ) reader
      where event.relayed_at is null
      order by event.seq limit ${limit} for update of event skip locked`
    if (events.length === 0) return 0

    const now = context.clock.now()
    const { handed, due } = divide(events, now, taker)
    const handover: Handover = { id: newId(now.getTime()), leasedAt: now, deliveries: handed }
    await sql`
      with fanned as (
        insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq,
                                      next_attempt_at, created_at)
        select id, event_id, endpoint_id, campaign_id, event_seq, ${now}, ${now}
        from jsonb_to_recordset(${sql.json(due)})
          as row (id uuid, event_id uuid, endpoint_id uuid, campaign_id uuid, event_seq bigint)
        on conflict (event_id, endpoint_id) do nothing
      ),
      handed as (
        insert into webhook_handover (id, lease_until, ids, event_ids, endpoint_ids)
        select ${handover.id}, ${new Date(now.getTime() + (taker?.leaseMs ?? 0))},
               ${handed.map(({ id }) => id)}::uuid[],
               ${handed.map(({ eventId }) => eventId)}::uuid[],
               ${handed.map(({ endpointId }) => endpointId)}::uuid[]
        where ${handed.length > 0}
      )
      update event set relayed_at = ${now} where id = any(${events.map(({ id }) => id)}::uuid[])`
    if (due.length > 0) onCommit(context, () => context.wake('deliveries'))
    if (taker && handed.length > 0) onCommit(context, () => taker.take(handover))
    return events.length
  })

/** Whether an endpoint asks for no order and no limit, and does not fail. */
const isPrompt = (sql: Queryable) => sql`
  (endpoint.status = 'active' and not endpoint.ordered and endpoint.rate_per_minute is null
   and endpoint.failing_since is null)`

/** What is handed over, and the rows of all others. */
const divide = (events: readonly Row[], now: Date, taker: HandoverTaker | undefined) => {
  const room = new Map<string, number>()
  const inAll = Math.min(taker?.room() ?? 0, MAX_IDS_OF_MS)
  const handedId = idsOf(now.getTime())
  const handed: HandedDelivery[] = []
  const due: Record<string, string | number | null>[] = []
  for (const { id: eventId, seq, campaign_id, endpoint_ids, prompt_ids, ...event } of events) {
    const prompt = new Set(prompt_ids)
    const { type: eventType, request_id: requestId, trace_parent: traceParent } = event
    const body = Buffer.from(event.body)
    for (const endpointId of endpoint_ids) {
      const left = taker && (room.get(endpointId) ?? taker.roomFor(endpointId))
      if (left && handed.length < inAll && prompt.has(endpointId)) {
        room.set(endpointId, left - 1)
        const id = handedId()
        handed.push({ id, endpointId, eventId, eventType, body, requestId, traceParent })
      } else {
        const id = newId(now.getTime())
        due.push({ id, event_id: eventId, endpoint_id: endpointId, campaign_id, event_seq: seq })
      }
    }
  }
  return { handed, due }
}
