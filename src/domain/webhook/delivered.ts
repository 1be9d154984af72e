import type { Queryable } from '../../db/client.ts'
import { timeOfId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'

/**
 * What `webhook_delivered` holds as rows of the shape of `webhook_delivery`, with their only attempt,
 * but for those that have become such rows since. Conditions on `endpoint_id` and `created_at` read
 * by the key, and so does that order: `offset 0` keeps the rest to one row of many at a time.
 */
export const deliveredAtOnce = (sql: Queryable) => sql`(
  select entry.*, batch.endpoint_id, 'delivered' as status, 1 as attempts,
         null::timestamptz as next_attempt_at, batch.delivered_at, batch.created_at
  from webhook_delivered batch cross join lateral (
    select entry.id, entry.event_id, to_timestamp(entry.started_ms / 1000.0) as started_at,
           entry.duration_ms, entry.status_code, coalesce(entry.response_body, '') as response_body
    from unnest(batch.ids, batch.event_ids, batch.started_ms, batch.duration_ms,
                batch.status_codes, batch.response_bodies)
      as entry (id, event_id, started_ms, duration_ms, status_code, response_body)
    where not exists (
      select from webhook_delivery again
      where again.event_id = entry.event_id and again.endpoint_id = batch.endpoint_id)
    offset 0
  ) entry)`

/** The event of `delivery`, looked up one by one: what is wanted is the beginning of a long list. */
export const itsEvent = (sql: Queryable) => sql`
  cross join lateral (select * from event where event.id = delivery.event_id offset 0) event`

/** Whether `event` was delivered to `endpoint` at once, both tables of the statement around it. */
export const wasDeliveredAtOnce = (sql: Queryable) => sql`
  exists (
    select from webhook_delivered batch
    where batch.endpoint_id = endpoint.id and batch.created_at = event.relayed_at
      and event.id = any(batch.event_ids))`

/** When a delivery of a handover was made, as its id says: `created_at`, by which it is found. */
export const madeAt = (sql: Queryable, id: string) =>
  sql`to_timestamp(${timeOfId(id)}::float8 / 1000)`

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
