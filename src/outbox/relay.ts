import type { Context } from '../db/context.ts'
import { onCommit, withTransaction } from '../db/transaction.ts'
import { newId } from '../kernel/ids.ts'

type Row = { id: string; seq: number; campaign_id: string | null; endpoint_ids: string[] }

/**
 * Turns events into deliveries: one for each active or paused endpoint that asked for the type and
 * whose owner the event concerns, or is an admin. Each event is relayed once, whatever crashes.
 *
 * Events are claimed by their state, never by a position read up to: a sequence is taken before
 * its transaction commits, so a lower one can appear after a higher one has been seen. Two relays
 * at once share the events between them: a claim that keeps order looks for itself whether what
 * was earlier is still with the other one.
 *
 * @returns how many events were relayed, at most `limit`
 */
export const relayEvents = (context: Context, { limit }: { limit: number }): Promise<number> =>
  withTransaction(context, async (context) => {
    const { sql } = context
    const events = await sql<Row[]>`
      select event.id, event.seq, event.campaign_id, array(
        select endpoint.id from webhook_endpoint endpoint
        where endpoint.user_id = any(event.audience)
          and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)
        union
        select endpoint.id from app_user
        join webhook_endpoint endpoint on endpoint.user_id = app_user.id
        where 'admin' = any(app_user.roles)
          and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)
      ) as endpoint_ids
      from event where event.relayed_at is null
      order by event.seq limit ${limit} for update of event skip locked`
    if (events.length === 0) return 0

    const now = context.clock.now()
    const deliveries = events.flatMap((event) =>
      event.endpoint_ids.map((endpoint_id) => ({
        id: newId(now.getTime()),
        event_id: event.id,
        endpoint_id,
        campaign_id: event.campaign_id,
        event_seq: event.seq,
      })),
    )
    await sql`
      with fanned as (
        insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq,
                                      next_attempt_at, created_at)
        select id, event_id, endpoint_id, campaign_id, event_seq, ${now}, ${now}
        from jsonb_to_recordset(${sql.json(deliveries)})
          as row (id uuid, event_id uuid, endpoint_id uuid, campaign_id uuid, event_seq bigint)
        on conflict (event_id, endpoint_id) do nothing)
      update event set relayed_at = ${now} where id = any(${events.map(({ id }) => id)}::uuid[])`
    if (deliveries.length > 0) onCommit(context, () => context.wake('deliveries'))
    return events.length
  })
