import type { Context } from '../context.ts'

/** How long what a paused endpoint has not taken is kept for it: as long as events are. */
const KEPT_MS = 90 * 24 * 3_600_000

/**
 * Cancels deliveries that were fanned out in the moment in which their endpoint was switched off,
 * and those that a paused endpoint has let wait for 90 days.
 * Returns how many there were, at most `limit`.
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
