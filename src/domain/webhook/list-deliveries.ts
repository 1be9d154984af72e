import { z } from 'zod'
import type { Part } from '../../db/client.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Keyset, type Page, PageQuery, toPage } from '../page.ts'
import { type DeliverySource, deliverySources, ofAll } from './delivery-sources.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryRow,
  type DeliveryView,
  deliveryColumns,
  toDeliveryView,
} from './delivery-view.ts'
import { ownEndpoint } from './own-endpoint.ts'

export const ListDeliveries = PageQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  eventType: z.enum(EVENT_TYPES).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type ListDeliveries = z.output<typeof ListDeliveries>

/** More are not counted: who has so many reads on by cursor. */
const MAX_TOTAL = 10_000

/**
 * What was or is to be sent to an endpoint of the caller, newest first. `since` is included,
 * `until` is not. The total stops at 10 000.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `invalid_cursor`
 */
export const listDeliveries = async (
  context: Context,
  endpointId: string,
  query: ListDeliveries,
): Promise<Page<DeliveryView>> => {
  const { sql } = context
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const endpoint = await ownEndpoint(context, endpointId)
  const skip = after ? 0 : (query.page - 1) * query.limit
  const asked = ({ type }: DeliverySource) => sql`
    delivery.endpoint_id = ${endpoint.id}
      ${query.status ? sql`and delivery.status = ${query.status}` : sql``}
      ${query.eventType ? sql`and ${type} = ${query.eventType}` : sql``}
      ${query.since ? sql`and delivery.created_at >= ${new Date(query.since)}` : sql``}
      ${query.until ? sql`and delivery.created_at < ${new Date(query.until)}` : sql``}`
  const counted = (source: DeliverySource) => sql`(
    select 1 from ${source.deliveries} delivery ${query.eventType ? source.forType : sql``}
    where ${asked(source)} limit ${MAX_TOTAL})`
  /** Newest first, as far as the page goes. */
  const newest = (source: DeliverySource) => sql`(
    select ${deliveryColumns(context)} from ${source.deliveries} delivery ${source.event}
    where ${asked(source)} ${after ? isAfter(sql, after) : sql``}
    order by delivery.created_at desc, delivery.id desc
    limit ${skip + query.limit + 1})`
  const all = (of: (source: DeliverySource) => Part) => ofAll(sql, deliverySources(sql).map(of))
  const [count] = await sql<{ total: number }[]>`
    select least(count(*), ${MAX_TOTAL})::int as total
    from (${all(counted)}) counted`
  if (count?.total === 0) return toPage([], query, 0, keyOf, toDeliveryView)
  const rows = await sql<DeliveryRow[]>`
    select * from (${all(newest)}) delivery
    order by created_at desc, id desc
    limit ${query.limit + 1} offset ${skip}`
  return toPage(rows, query, count?.total ?? 0, keyOf, toDeliveryView)
}

/** The first condition says less, and is one that every source can read by. */
const isAfter = (sql: Context['sql'], { createdAt, id }: Keyset) => sql`
  and delivery.created_at <= ${createdAt}
  and (delivery.created_at, delivery.id) < (${createdAt}, ${id})`

const keyOf = ({ created_at: createdAt, id }: DeliveryRow) => ({ createdAt, id })
