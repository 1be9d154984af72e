import type { Context } from '../context.ts'

/**
 * Cancels deliveries that were fanned out in the moment in which their endpoint was switched off.
 * Returns how many there were, at most `limit`.
 */
export const pruneDeliveries = async ({ sql }: Context, limit: number): Promise<number> => {
  const cancelled = await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where id in (
      select delivery.id from webhook_endpoint endpoint
      join webhook_delivery delivery
        on delivery.endpoint_id = endpoint.id and delivery.status = 'pending'
      where endpoint.status = 'disabled' limit ${limit})`
  return cancelled.count
}
