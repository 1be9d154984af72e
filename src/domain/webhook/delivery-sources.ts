import type { Part, Queryable } from '../../db/client.ts'
import { timeOfId } from '../../kernel/ids.ts'

export type DeliverySource = {
  /** `delivery` in the statement around it. */
  deliveries: Part
  /** Joins its `event`. */
  event: Part
  /** What has to be joined to tell the type of the event, and that. */
  forType: Part
  type: Part
}

/**
 * Where deliveries stand: those with a row, those that arrived at the first attempt, and those whose
 * first attempt is under way. Each is in one of them in any one snapshot; a statement of its own for
 * each may miss what moves between them.
 */
export const deliverySources = (sql: Queryable): DeliverySource[] => [
  {
    deliveries: sql`webhook_delivery`,
    event: joinedEvent(sql),
    forType: joinedEvent(sql),
    type: sql`event.type`,
  },
  ...[deliveredAtOnce(sql), handedOver(sql)].map((deliveries) => ({
    deliveries,
    event: itsEvent(sql),
    forType: sql``,
    type: sql`delivery.event_type`,
  })),
]

/** The same question to each of the sources, as one. */
export const ofAll = (sql: Queryable, parts: readonly Part[]): Part =>
  parts.reduce((one, other) => sql`${one} union all ${other}`)

/**
 * What `webhook_delivered` holds, with the only attempt of each, but for those that have a row
 * since. Conditions on `endpoint_id` and `created_at` read by the key, and so does that order:
 * `offset 0` keeps the rest to one row of many at a time.
 */
export const deliveredAtOnce = (sql: Queryable) => sql`(
  select entry.*, batch.endpoint_id, batch.event_type, 'delivered' as status, 1 as attempts,
         null::timestamptz as next_attempt_at, batch.delivered_at, batch.created_at
  from webhook_delivered batch cross join lateral (
    select entry.id, entry.event_id, to_timestamp(entry.started_ms / 1000.0) as started_at,
           entry.duration_ms, entry.status_code, coalesce(entry.response_body, '') as response_body
    from unnest(batch.ids, batch.event_ids, batch.started_ms, batch.duration_ms,
                batch.status_codes, batch.response_bodies)
      as entry (id, event_id, started_ms, duration_ms, status_code, response_body)
    where ${hasNoRow(sql, sql`batch`)}
    offset 0
  ) entry)`

/** What workers hold and have not recorded yet; there is little of it at any time. */
export const handedOver = (sql: Queryable) => sql`(
  select entry.id, entry.event_id, entry.endpoint_id, event.type as event_type,
         'pending' as status, 0 as attempts,
         handover.lease_until as next_attempt_at, null::timestamptz as delivered_at,
         event.relayed_at as created_at
  from webhook_handover handover
  cross join lateral unnest(handover.ids, handover.event_ids, handover.endpoint_ids)
    as entry (id, event_id, endpoint_id)
  cross join lateral (
    select id, type, relayed_at from event where event.id = entry.event_id offset 0
  ) event
  where ${hasNoRow(sql, sql`entry`)} and not ${wasDeliveredAtOnce(sql, sql`entry.endpoint_id`)})`

/** Whether nothing has made a row of `entry`, whose endpoint that table names. */
const hasNoRow = (sql: Queryable, table: Part) => sql`
  not exists (
    select from webhook_delivery again
    where again.event_id = entry.event_id and again.endpoint_id = ${table}.endpoint_id)`

/** Whether `event`, of the statement around it, was delivered to that endpoint at once. */
export const wasDeliveredAtOnce = (sql: Queryable, endpointId: Part) => sql`
  exists (
    select from webhook_delivered batch
    where batch.endpoint_id = ${endpointId} and batch.created_at = event.relayed_at
      and event.id = any(batch.event_ids))`

/** The event of `delivery`, in whichever way the planner finds best. */
export const joinedEvent = (sql: Queryable) => sql`
  join event on event.id = delivery.event_id`

/** The same, looked up one by one: what is wanted is the beginning of a long list in its order. */
export const itsEvent = (sql: Queryable) => sql`
  cross join lateral (select * from event where event.id = delivery.event_id offset 0) event`

/** When a delivery of a handover was made, as its id says: `created_at`, by which it is found. */
export const madeAt = (sql: Queryable, id: string) =>
  sql`to_timestamp(${timeOfId(id)}::float8 / 1000)`
