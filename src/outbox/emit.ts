import type { Context } from '../db/context.ts'
import { onCommit } from '../db/transaction.ts'
import { newId } from '../kernel/formats/ids.ts'
import type { Envelope, EventData, EventType } from './events.ts'
import { packBody } from './pack-body.ts'

/** An event to write. `audience` lists the users who may see it, and null for each guest. */
export type NewEvent = {
  [T in EventType]: {
    type: T
    data: EventData<T>
    audience: (string | null)[]
    campaignId: string | null
    /** The id of the request that caused the event. Default: the current request. */
    requestId?: string | null
    /** The W3C `traceparent` of the event's cause. Default: the current trace. */
    traceParent?: string | null
  }
}[EventType]

/**
 * Writes events in the caller's transaction, in the given order. After the commit, wakes the job
 * that creates deliveries. Stores the JSON text, because every delivery must send the same text.
 */
export const emit = async (ctx: Context, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  const now = ctx.clock.now()
  const rows = events.map(({ type, data, campaignId, requestId, traceParent, ...event }) => {
    const audience = [...new Set(event.audience.filter((userId) => userId !== null))]
    const envelope = { id: newId(now.getTime()), event: type, created: now.toISOString(), data }
    return {
      id: envelope.id,
      type,
      campaign_id: campaignId,
      audience,
      packed: packBody(envelope satisfies Envelope, { audience, campaignId }),
      request_id: requestId === undefined ? ctx.requestId : requestId,
      trace_parent: traceParent === undefined ? (ctx.traceParent ?? null) : traceParent,
    }
  })
  await ctx.sql`
    with written as (
      insert into event (id, type, campaign_id, audience, packed, request_id, trace_parent, created_at)
      select id, type, campaign_id, array(select jsonb_array_elements_text(audience))::uuid[],
             packed, request_id, trace_parent, ${now}
      from jsonb_to_recordset(${ctx.sql.json(rows)})
        as row (id uuid, type text, campaign_id uuid, audience jsonb, packed text, request_id text,
                trace_parent text)
      returning tx, seq, audience, campaign_id
    ), waiting as (
      insert into unrelayed_event (seq, campaign_id) select seq, campaign_id from written
    )
    insert into event_audience (user_id, tx, seq)
    select unnest(audience), tx, seq from written`
  onCommit(ctx, () => ctx.wake('events'))
}
