import type { Queryable } from '../../src/db/client.ts'

export type StoredDelivery = {
  id: string
  event_id: string
  endpoint_id: string
  status: string
  attempts: number
  /** Whether it has no row of its own: it arrived at the first attempt and was recorded with others. */
  at_once: boolean
}

/** Every delivery as it is stored, in both tables; one that is in both is there twice. */
export const storedDeliveries = (sql: Queryable) => sql<StoredDelivery[]>`
  select id, event_id, endpoint_id, status, attempts, false as at_once from webhook_delivery
  union all
  select entry.id, entry.event_id, endpoint_id, 'delivered', 1, true
  from webhook_delivered, unnest(ids, event_ids) as entry (id, event_id)
  order by id`
