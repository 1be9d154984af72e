import { timeOfId } from '../../kernel/ids.ts'
import { DELIVERED_MS } from '../../outbox/prune.ts'
import type { Context } from '../context.ts'
import { deliveredAtOnce, itsEvent } from './delivery-sources.ts'

/**
 * Makes rows of an endpoint's deliveries that arrived at once, so that they can be sent again. What
 * has one already, or never was one of those, is left alone, and so is what is about to be removed:
 * a row that nobody saw yet would outlive its event, and wait for ever.
 */
export const unpackDelivered = async (
  { sql, clock }: Context,
  endpointId: string,
  ids: readonly string[],
): Promise<void> => {
  const after = new Date(clock.now().getTime() - DELIVERED_MS)
  const times = [...new Set(ids.map(timeOfId))]
  // "is true" keeps a list a hash to look into: as a join each would be compared with each.
  await sql`
    with entry as materialized (
      select distinct on (delivery.id) delivery.*, event.campaign_id, event.seq
      from ${deliveredAtOnce(sql)} delivery
      ${itsEvent(sql)}
      where delivery.endpoint_id = ${endpointId} and event.created_at > ${after}
        and delivery.created_at = any(array(
          select to_timestamp(ms / 1000.0) from unnest(${times}::bigint[]) as ms))
        and (delivery.id in (select unnest(${[...ids]}::uuid[]))) is true
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
    select id, attempts, started_at, duration_ms, status_code, response_body
    from entry where (id in (select id from made)) is true`
}

/**
 * Removes the oldest, while nobody can send them again any more. Returns how many rows went, at
 * most `limit`.
 */
export const pruneDelivered = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const before = new Date(clock.now().getTime() - DELIVERED_MS)
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
