import type { Context } from '../context.ts'

/** Ends the lease on deliveries that were not attempted. Any worker may claim them at once. */
export const releaseDeliveries = async (
  { sql, clock }: Context,
  deliveries: readonly { id: string; lease: string }[],
): Promise<void> => {
  await sql`
    update webhook_delivery delivery
    set lease = null, lease_until = null, next_attempt_at = ${clock.now()}
    from unnest(
      ${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ lease }) => lease)}::uuid[]
    ) as given (id, lease)
    where delivery.id = given.id and delivery.lease = given.lease`
}
