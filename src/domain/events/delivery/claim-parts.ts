import type { Part, Queryable } from '../../../db/client.ts'

/**
 * The input of the SQL statement that claims deliveries. Each function below returns one `with`
 * query of this statement. A query reads only the queries before it in this order:
 *
 * waiting -> able -> locked -> served -> first -> due -> chosen -> slot
 */
export type ClaimQuery = {
  sql: Queryable
  now: Date
  limit: number
  /** The largest number of attempts in flight at one endpoint. */
  perEndpoint: number
  /** Which endpoints to serve: healthy, degraded (failing or slow) or, if undefined, all. */
  lane: 'healthy' | 'degraded' | undefined
  /** The ids of slow endpoints, which count as degraded. */
  slow: readonly string[]
}

/**
 * A rate limit allows requests at evenly spaced times, the slots. A claim that is at most this late
 * counts as on time, so that small delays do not add up.
 */
const SLOT_TOLERANCE_MS = 250

const MINUTE_MS = 60_000

/**
 * Slots per millisecond for a limit of one request per minute. A slot is slightly longer than a
 * minute, so that the tolerance does not cause more requests than the limit allows.
 */
const SLOTS_PER_MS = 1 / (MINUTE_MS + SLOT_TOLERANCE_MS)

/** Limit of requests per minute until the URL answers 2xx, because the URL may belong to others. */
const FIRST_RATE_PER_MINUTE = 6

const LEAST_ID = '00000000-0000-0000-0000-000000000000'

/** SQL condition for a row of `webhook_delivery` that is due and that no worker has a lease on. */
const isDue = ({ sql, now }: ClaimQuery): Part => sql`
  next_attempt_at <= ${now} and (lease_until is null or lease_until <= now())`

/**
 * `waiting`: the endpoints with pending deliveries, each with the due time of its first delivery.
 * Walks the index from one endpoint to the next without reading all pending deliveries.
 */
export const waitingEndpoints = ({ sql }: ClaimQuery): Part => sql`
  waiting (endpoint_id, due_at) as (
    (select endpoint_id, next_attempt_at from webhook_delivery where status = 'pending'
     order by endpoint_id, next_attempt_at limit 1)
    union all
    select following.* from waiting cross join lateral (
      select endpoint_id, next_attempt_at from webhook_delivery
      where status = 'pending' and endpoint_id > waiting.endpoint_id
      order by endpoint_id, next_attempt_at limit 1
    ) following
  )`

/**
 * `able`: active endpoints that may get a delivery now, the fewest attempts in flight first. Each
 * row has the rate limit of the endpoint, and the campaigns of its deliveries in flight. In the
 * degraded lane a failing endpoint gets one delivery at a time.
 */
export const ableEndpoints = ({
  sql,
  now,
  limit,
  perEndpoint,
  lane,
  slow,
}: ClaimQuery): Part => sql`
  able as materialized (
    select endpoint.id, endpoint.ordered, pace.rate, held.count as held, held.campaigns,
           most.capacity - held.count as capacity
    from waiting
    join webhook_endpoint endpoint on endpoint.id = waiting.endpoint_id
      and endpoint.status = 'active'
      and (endpoint.next_slot_at is null or endpoint.next_slot_at <= ${now})
    cross join lateral (
      select case when endpoint.answered_at is null
                  then least(endpoint.rate_per_minute, ${FIRST_RATE_PER_MINUTE}::int)
                  else endpoint.rate_per_minute end as rate
    ) pace
    cross join lateral (
      select case when ${lane === 'degraded'} and endpoint.failing_since is not null then 1
                  else ${perEndpoint}::int end as capacity
    ) most
    cross join lateral (
      select count(*)::int as count,
             coalesce(array_agg(campaign_id) filter (where campaign_id is not null), '{}')
               as campaigns
      -- The order makes the planner use the index, which can skip dead rows.
      from (select campaign_id from webhook_delivery
            where endpoint_id = endpoint.id and lease is not null and lease_until > now()
            order by lease_until limit ${perEndpoint}) in_flight
    ) held
    where waiting.due_at <= ${now} and most.capacity > held.count
      ${
        lane === undefined
          ? sql``
          : sql`and (endpoint.failing_since is not null
                     or endpoint.id = any(${[...slow]}::uuid[])) = ${lane === 'degraded'}`
      }
    order by held.count, random() limit ${limit}
  )`

/** `locked`: locks the ordered or rate-limited `able` endpoints, and reads their next slot. */
export const lockedEndpoints = ({ sql, now }: ClaimQuery): Part => sql`
  locked as materialized (
    select endpoint.*
    from able cross join lateral (
      select id,
             greatest(next_slot_at,
                      ${now}::timestamptz - ${SLOT_TOLERANCE_MS}::int * interval '1 ms') as slot_at
      from webhook_endpoint
      where id = able.id and status = 'active'
        and (next_slot_at is null or next_slot_at <= ${now})
      for no key update skip locked
    ) endpoint
    where able.ordered or able.rate is not null
  )`

/** `served`: the endpoints of this claim, each with the number of deliveries that it may get. */
export const servedEndpoints = ({ sql, now }: ClaimQuery): Part => sql`
  served as materialized (
    select able.id, able.ordered, able.held, able.campaigns, able.rate, locked.slot_at,
           least(capacity,
                 floor(extract(epoch from ${now}::timestamptz - locked.slot_at) * 1000
                       * able.rate * ${SLOTS_PER_MS}::float8) + 1)::int as capacity
    from able left join locked on locked.id = able.id
    where locked.id is not null or not (able.ordered or able.rate is not null)
  )`

/**
 * `first`: for each ordered endpoint, the first pending delivery of each campaign. Skips a campaign
 * that has a delivery in flight, or an earlier event without deliveries. Deliveries without a
 * campaign have no order.
 *
 * The row comparison makes the planner use the index, even with old statistics.
 */
export const firstInOrder = (query: ClaimQuery): Part => query.sql`
  first as materialized (
    select served.id as endpoint_id, served.held, head.id
    from served cross join lateral (
      with recursive head as (
        (select id, endpoint_id, campaign_id, event_seq, next_attempt_at, lease_until
         from webhook_delivery
         where status = 'pending'
           and (endpoint_id, campaign_id) >= (served.id, ${LEAST_ID}::uuid)
         order by endpoint_id, campaign_id, event_seq limit 1)
        union all
        select later.* from head cross join lateral (
          select id, endpoint_id, campaign_id, event_seq, next_attempt_at, lease_until
          from webhook_delivery
          where status = 'pending'
            and (endpoint_id, campaign_id) > (head.endpoint_id, head.campaign_id)
          order by endpoint_id, campaign_id, event_seq limit 1
        ) later where head.endpoint_id = served.id
      )
      select id, next_attempt_at from head
      where endpoint_id = served.id and ${isDue(query)}
        and campaign_id <> all(served.campaigns)
        and not exists (
          select from unrelayed_event earlier
          where earlier.campaign_id = head.campaign_id and earlier.seq < head.event_seq)
      union all
      (select id, next_attempt_at from webhook_delivery
       where endpoint_id = served.id and status = 'pending' and campaign_id is null
         and ${isDue(query)}
       order by event_seq limit served.capacity)
      order by next_attempt_at limit served.capacity
    ) head
    where served.ordered
  )`

/** `due`: locks the due deliveries of each `served` endpoint, at most its `capacity`. */
export const dueDeliveries = (query: ClaimQuery): Part => query.sql`
  due as (
    select served.id as endpoint_id, held, delivery.id, delivery.next_attempt_at
    from served cross join lateral (
      select id, next_attempt_at from webhook_delivery
      where endpoint_id = served.id and status = 'pending' and ${isDue(query)}
      order by next_attempt_at limit served.capacity
      for update skip locked
    ) delivery
    where not served.ordered
    union all
    select first.endpoint_id, held, delivery.id, delivery.next_attempt_at
    from first cross join lateral (
      select id, next_attempt_at from webhook_delivery
      where id = first.id and status = 'pending' and ${isDue(query)}
      for update skip locked
    ) delivery
  )`

/** `chosen`: at most `limit` deliveries, round-robin over endpoints, the earliest due first. */
export const chosenDeliveries = ({ sql, limit }: ClaimQuery): Part => sql`
  chosen as materialized (
    select id, endpoint_id from due
    order by held + row_number() over (partition by endpoint_id order by next_attempt_at, id),
             random()
    limit ${limit}
  )`

/** `slot`: moves the next slot of a rate-limited endpoint by one slot for each chosen delivery. */
export const nextSlots = ({ sql }: ClaimQuery): Part => sql`
  slot as (
    update webhook_endpoint endpoint
    set next_slot_at = served.slot_at + interval '1 ms'
      * ceil(taken.count / (served.rate * ${SLOTS_PER_MS}::float8))
    from served
    join (select endpoint_id, count(*) from chosen group by endpoint_id) taken
      on taken.endpoint_id = served.id
    where endpoint.id = served.id and served.rate is not null
    returning endpoint.id, endpoint.next_slot_at
  )`
