import type { Context } from '../../../db/context.ts'

/** A delivery waits at most this time for a paused endpoint. Events are kept for the same time. */
const KEPT_MS = 90 * 24 * 3_600_000

/**
 * Cancels at most `limit` deliveries and returns their number:
 * - deliveries that were created while their endpoint was being disabled;
 * - deliveries that have waited for a paused endpoint for 90 days.
 */
export const pruneDeliveries = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  const cancelled = await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where id in (
      select delivery.id from webhook_endpoint endpoint
      join webhook_delivery delivery
        on delivery.endpoint_id = endpoint.id and delivery.status = 'pending'
      where endpoint.status = 'disabled'
        or (endpoint.status = 'paused' and delivery.next_attempt_at < ${before})
      limit ${limit})`
  return cancelled.count
}
