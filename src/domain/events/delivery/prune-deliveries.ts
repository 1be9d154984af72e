import type { Context } from '../../../db/context.ts'

/** A delivery waits at most this time for a paused endpoint. */
const PAUSED_MS = 90 * 24 * 3_600_000

/**
 * Cancels at most `limit` deliveries and returns their number:
 * - deliveries that were created while their endpoint was being disabled;
 * - deliveries that have waited for a paused endpoint for 90 days.
 */
export const cancelDeliveries = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const before = new Date(clock.now().getTime() - PAUSED_MS)
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

/**
 * Deletes deliveries that are not pending and older than the setting says. Examines only the
 * `limit` oldest ones, whose ids come first. Returns the number of deleted deliveries.
 */
export const pruneDeliveries = async (ctx: Context, limit: number): Promise<number> => {
  const before = new Date(ctx.clock.now().getTime() - ctx.settings.retention.deliveriesMs)
  const deleted = await ctx.sql`
    delete from webhook_delivery
    where id in (select id from webhook_delivery order by id limit ${limit})
      and created_at < ${before} and status <> 'pending'`
  return deleted.count
}
