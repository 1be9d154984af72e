import type { Context } from '../context.ts'
import { cancelForeignDeliveries } from '../webhook/index.ts'
import type { StoredAttempt } from './attempt-outcome.ts'

/** A delivery without a row. Times of leases are the database's, so a lease is given in `leaseMs`. */
export type NewDelivery = {
  id: string
  eventId: string
  endpointId: string
  eventType: string
  campaignId: string | null
  eventSeq: number
  status: 'pending' | 'delivered' | 'exhausted' | 'cancelled'
  attempt: StoredAttempt | null
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
  /** The lease of the worker whose attempt is in flight; else null. */
  lease: string | null
}

/**
 * Writes rows of deliveries, those that have one already left out. A pending row whose endpoint may
 * no longer see the event is cancelled.
 *
 * @param leaseMs how long the leases last
 * @returns the ids that were written
 */
export const storeDeliveries = async (
  ctx: Context,
  rows: readonly NewDelivery[],
  leaseMs = 0,
): Promise<Set<string>> => {
  const { sql } = ctx
  const pending = rows.filter(({ status }) => status === 'pending')
  if (pending.length > 0) {
    // A change of what these endpoints may see comes before this transaction, or after it.
    await sql`
      select from webhook_endpoint endpoint join app_user owner on owner.id = endpoint.user_id
      where endpoint.id = any(${[...new Set(pending.map((row) => row.endpointId))]}::uuid[])
      order by endpoint.id for no key update of endpoint for share of owner`
  }
  const values = rows.map((row) => ({
    id: row.id,
    event_id: row.eventId,
    endpoint_id: row.endpointId,
    event_type: row.eventType,
    campaign_id: row.campaignId,
    event_seq: row.eventSeq,
    status: row.status,
    attempt: row.attempt,
    next_attempt_at: row.nextAttemptAt,
    delivered_at: row.deliveredAt,
    created_at: row.createdAt,
    lease: row.lease,
  }))
  const stored = await sql<{ id: string }[]>`
    insert into webhook_delivery (
      id, event_id, endpoint_id, event_type, campaign_id, event_seq, status, attempts,
      schedule_attempts, attempt_log, next_attempt_at, delivered_at, created_at, lease, lease_until)
    select id, event_id, endpoint_id, event_type, campaign_id, event_seq, status,
           (attempt is not null)::int, (attempt is not null)::int,
           case when attempt is null then '[]' else jsonb_build_array(attempt) end,
           next_attempt_at, delivered_at, created_at, lease,
           case when lease is not null then now() + ${leaseMs}::int * interval '1 ms' end
    from jsonb_to_recordset(${sql.json(values)}) as row (
      id uuid, event_id uuid, endpoint_id uuid, event_type text, campaign_id uuid,
      event_seq bigint, status text, attempt jsonb, next_attempt_at timestamptz,
      delivered_at timestamptz, created_at timestamptz, lease uuid)
    on conflict do nothing
    returning id`
  if (pending.length > 0) {
    await cancelForeignDeliveries(
      ctx,
      sql`delivery.id = any(${pending.map(({ id }) => id)}::uuid[])`,
    )
  }
  return new Set(stored.map(({ id }) => id))
}
