import type { Context } from '../../../db/context.ts'

export type NewDelivery = { id: string; eventId: string; endpointId: string }

/**
 * Inserts deliveries that do not exist yet, due now. With `hold`, the caller gets a lease of
 * `leaseMs` on each new delivery, by the database's clock. Returns the number of new deliveries.
 */
export const storeDeliveries = async (
  { sql, clock }: Context,
  deliveries: readonly NewDelivery[],
  hold?: { lease: string; leaseMs: number },
): Promise<number> => {
  if (deliveries.length === 0) return 0
  const stored = await sql`
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, campaign_id, event_seq,
                                  next_attempt_at, created_at, lease, lease_until)
    select given.id, event.id, given.endpoint_id, event.type, event.campaign_id, event.seq,
           moment, moment, ${hold?.lease ?? null}::uuid,
           now() + ${hold?.leaseMs ?? null}::int * interval '1 ms'
    from unnest(
      ${deliveries.map(({ id }) => id)}::uuid[],
      ${deliveries.map(({ eventId }) => eventId)}::uuid[],
      ${deliveries.map(({ endpointId }) => endpointId)}::uuid[]
    ) as given (id, event_id, endpoint_id)
    join event on event.id = given.event_id
    cross join (select ${clock.now()}::timestamptz) as clock (moment)
    on conflict do nothing`
  return stored.count
}
