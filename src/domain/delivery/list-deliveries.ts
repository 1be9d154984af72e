import { z } from 'zod'
import { DELIVERY_STATUSES } from '../../kernel/statuses.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { Moment } from '../moment.ts'
import { type Page, PageQuery, readPage, severalOf, withStatus } from '../page.ts'
import { ownEndpoint } from '../webhook/index.ts'
import { type DeliveryView, deliveryColumns } from './delivery-view.ts'

export const ListDeliveries = PageQuery.extend({
  status: severalOf(DELIVERY_STATUSES),
  event: z.enum(EVENT_TYPES).optional(),
  since: Moment.optional(),
  until: Moment.optional(),
})
export type ListDeliveries = z.output<typeof ListDeliveries>

/** The statuses that the index `webhook_delivery_undelivered` covers. */
const INDEXED = ['pending', 'exhausted', 'cancelled']

/**
 * Lists deliveries to an endpoint of the caller, newest first. `since` is included, `until` is not.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` if the caller has no such
 *   endpoint, `invalid_cursor` if the cursor is not from this list
 */
export const listDeliveries = async (
  ctx: Context,
  endpointId: string,
  query: ListDeliveries,
): Promise<Page<DeliveryView>> => {
  const { sql } = ctx
  const endpoint = await ownEndpoint(ctx, endpointId)
  const { event, since, until } = query
  const chosen = withStatus(
    sql,
    query.status,
    INDEXED,
    (ofStatus) => sql`
    select id, created_at as at from webhook_delivery
    where endpoint_id = ${endpoint.id}
      ${ofStatus}
      ${event ? sql`and event_type = ${event}` : sql``}
      ${since ? sql`and created_at >= ${since}` : sql``}
      ${until ? sql`and created_at < ${until}` : sql``}`,
  )
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<DeliveryView[]>`
      select ${deliveryColumns(ctx)} from webhook_delivery delivery
      where delivery.id = any(${ids}::uuid[])`,
  })
}
