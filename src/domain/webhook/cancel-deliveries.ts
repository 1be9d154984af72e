import type { Context } from '../context.ts'

/** Gives up everything that still waits for these endpoints, attempts under way included. */
export const cancelDeliveries = async (
  { sql }: Context,
  endpointIds: readonly string[],
): Promise<void> => {
  await sql`
    update webhook_delivery
    set status = 'cancelled', next_attempt_at = null, lease = null, lease_until = null
    where endpoint_id = any(${[...endpointIds]}::uuid[]) and status = 'pending'`
}
