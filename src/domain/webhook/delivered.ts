import { timeOfId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { deliveredAtOnce, itsEvent } from './delivery-sources.ts'

/**
 * Makes rows of an endpoint's deliveries that arrived at once, so that they can be sent again; what
 * has one already, or never was one of those, is left alone.
 */
export const unpackDelivered = async (
  { sql }: Context,
  endpointId: string,
  ids: readonly string[],
): Promise<void> => {
  const times = [...new Set(ids.map(timeOfId))]
  await sql`
    with entry as materialized (
      select delivery.*, event.campaign_id, event.seq
      from ${deliveredAtOnce(sql)} delivery
      join unnest(${[...ids]}::uuid[]) as wanted (id) on wanted.id = delivery.id
      ${itsEvent(sql)}
      where delivery.endpoint_id = ${endpointId}
        and delivery.created_at = any(array(
          select to_timestamp(ms / 1000.0) from unnest(${times}::bigint[]) as ms))
    ),
    made as (
      insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq, status,
                                    attempts, schedule_attempts, delivered_at, created_at)
      select id, event_id, endpoint_id, campaign_id, seq, status, attempts, attempts,
             delivered_at, created_at
      from entry
      on conflict do nothing
      returning id
    )
    insert into webhook_attempt (delivery_id, number, started_at, duration_ms, status_code,
                                 response_body)
    select made.id, entry.attempts, entry.started_at, entry.duration_ms, entry.status_code,
           entry.response_body
    from made join entry on entry.id = made.id`
}

/** How long they are kept: as long as their events. */
const KEPT_MS = 90 * 24 * 3_600_000

/** Removes the oldest; returns how many rows went, at most `limit`. */
export const pruneDelivered = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  const removed = await sql`
    delete from webhook_delivered where (endpoint_id, created_at, first_id) in (
      select old.endpoint_id, old.created_at, old.first_id
      from webhook_endpoint endpoint cross join lateral (
        select endpoint_id, created_at, first_id from webhook_delivered
        where endpoint_id = endpoint.id and created_at < ${before}
        order by created_at, first_id limit ${limit}
      ) old
      limit ${limit})`
  return removed.count
}
