import { newId } from '../../kernel/ids.ts'
import type { Delivery } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'

/** A delivery that this worker alone may attempt, until its lease ends. */
export type ClaimedDelivery = Delivery & {
  id: string
  endpointId: string
  /** Fences: what is recorded under a lease that was lost is ignored. */
  lease: string
  /** Attempts made before this one. */
  attempts: number
}

export type ClaimOptions = {
  limit: number
  /** How many attempts at one endpoint may be under way at a time, over all workers. */
  perEndpoint: number
  /** Longer than an attempt can take. */
  leaseMs: number
}

type Row = {
  id: string
  endpoint_id: string
  attempts: number
  event_id: string
  body: string
  request_id: string | null
  url: string
  secret_sealed: string
}

/**
 * Takes deliveries that are due, in turns over the endpoints: those with the fewest attempts under
 * way come first, so that neither a backlog nor a slow receiver holds up the others.
 *
 * `waiting` walks the index from one endpoint to the next and reads none of their backlogs.
 * A claim moves `next_attempt_at` to the end of the lease: a worker that dies leaves its
 * deliveries due again, with nothing to clean up.
 */
export const claimDeliveries = async (
  { sql, clock, secrets }: Context,
  { limit, perEndpoint, leaseMs }: ClaimOptions,
): Promise<ClaimedDelivery[]> => {
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const lease = newId(now.getTime())
  const rows = await sql<Row[]>`
    with recursive waiting (endpoint_id) as (
      (select endpoint_id from webhook_delivery where status = 'pending'
       order by endpoint_id limit 1)
      union all
      select (select next.endpoint_id from webhook_delivery next
              where next.status = 'pending' and next.endpoint_id > waiting.endpoint_id
              order by next.endpoint_id limit 1)
      from waiting where waiting.endpoint_id is not null
    ),
    candidate as (
      select due.id, due.next_attempt_at,
             held.count + row_number() over (
               partition by waiting.endpoint_id order by due.next_attempt_at, due.id) as turn
      from waiting
      join webhook_endpoint on webhook_endpoint.id = waiting.endpoint_id
        and webhook_endpoint.status = 'active'
      cross join lateral (
        select count(*) from webhook_delivery
        where endpoint_id = waiting.endpoint_id and lease is not null and lease_until > ${now}
      ) held
      cross join lateral (
        select id, next_attempt_at from webhook_delivery
        where endpoint_id = waiting.endpoint_id and status = 'pending'
          and next_attempt_at <= ${now}
        order by next_attempt_at limit greatest(0, ${perEndpoint}::int - held.count)
        for update skip locked
      ) due
    ),
    chosen as (select id from candidate order by turn, next_attempt_at limit ${limit})
    update webhook_delivery delivery
    set lease = ${lease}, lease_until = ${leaseUntil}, next_attempt_at = ${leaseUntil}
    from chosen, event, webhook_endpoint endpoint
    where delivery.id = chosen.id and event.id = delivery.event_id
      and endpoint.id = delivery.endpoint_id
    returning delivery.id, delivery.endpoint_id, delivery.attempts, delivery.event_id,
              event.body, event.request_id, endpoint.url, endpoint.secret_sealed`
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    lease,
    attempts: row.attempts,
    eventId: row.event_id,
    body: row.body,
    requestId: row.request_id,
    url: row.url,
    secrets: [secrets.open(row.secret_sealed)],
  }))
}
