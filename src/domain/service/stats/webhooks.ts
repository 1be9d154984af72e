import type { Context } from '../../../db/context.ts'
import type { Sample } from '../../../kernel/ports/metrics.ts'
import { ENDPOINT_STATUSES } from '../../../kernel/statuses.ts'
import { horizonOf } from '../../events/index.ts'
import { ageSeconds, MAX_COUNTED } from './age.ts'

/**
 * Counts events without deliveries. Measures how long open transactions delay the event feed by the
 * oldest event that they hide, because PostgreSQL hides when transactions of other roles began.
 */
export const readEvents = async ({ sql, clock }: Context): Promise<Sample[]> => {
  const [row] = await sql<{ count: number; oldest: Date | null; unshown: Date | null }[]>`
    select count(*)::int as count, min(created_at) as oldest, (
      select created_at from event where tx >= ${horizonOf(sql)} order by tx, seq limit 1
    ) as unshown
    from (
      select created_at
      from (select seq from unrelayed_event order by seq limit ${MAX_COUNTED}) waiting
      cross join lateral (select created_at from event where seq = waiting.seq offset 0) event
    ) unrelayed`
  const now = clock.now()
  return [
    ['fundproof_events_unrelayed', {}, row?.count ?? 0],
    ['fundproof_events_oldest_unrelayed_seconds', {}, ageSeconds(now, row?.oldest ?? null)],
    ['fundproof_feed_wait_seconds', {}, ageSeconds(now, row?.unshown ?? null)],
  ]
}

type Backlog = { count: number; oldest: Date | null; due: Date | null }

/**
 * Counts pending deliveries of active endpoints, and measures how late our workers are. For this
 * delay, leaves out each endpoint that may itself be the cause: it is failing, busy, new, ordered
 * or rate-limited.
 */
export const readDeliveries = async ({ sql, clock }: Context): Promise<Sample[]> => {
  const now = clock.now()
  const [row] = await sql<Backlog[]>`
    select count(*)::int as count, min(pending.created_at) as oldest, (
      select min(first.next_attempt_at)
      from webhook_endpoint endpoint
      cross join lateral (
        select next_attempt_at from webhook_delivery
        where endpoint_id = endpoint.id and status = 'pending'
        order by next_attempt_at limit 1
      ) first
      where endpoint.status = 'active' and endpoint.failing_since is null
        and endpoint.answered_at is not null
        and not endpoint.ordered and endpoint.rate_per_minute is null
        and not exists (
          select from webhook_delivery held
          where held.endpoint_id = endpoint.id and held.lease is not null
            and held.lease_until > now())
    ) as due
    from (
      select delivery.created_at
      from webhook_delivery delivery
      join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
      where delivery.status = 'pending' and endpoint.status = 'active'
      limit ${MAX_COUNTED}
    ) pending`
  return [
    ['fundproof_webhook_deliveries_pending', {}, row?.count ?? 0],
    ['fundproof_webhook_oldest_pending_seconds', {}, ageSeconds(now, row?.oldest ?? null)],
    ['fundproof_webhook_overdue_seconds', {}, ageSeconds(now, row?.due ?? null)],
  ]
}

/** Counts the endpoints in each status, and the active endpoints that fail now. */
export const readEndpoints = async ({ sql }: Context): Promise<Sample[]> => {
  const rows = await sql<{ status: string; count: number; failing: number }[]>`
    select status, count(*)::int as count, count(failing_since)::int as failing
    from webhook_endpoint where deleted_at is null group by status`
  const countOf = (status: string) => rows.find((row) => row.status === status)
  return [
    ...ENDPOINT_STATUSES.map(
      (status): Sample => ['fundproof_webhook_endpoints', { status }, countOf(status)?.count ?? 0],
    ),
    ['fundproof_webhook_endpoints_failing', {}, countOf('active')?.failing ?? 0],
  ]
}
