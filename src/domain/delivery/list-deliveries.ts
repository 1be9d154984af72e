import { z } from 'zod'
import type { Part } from '../../db/client.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, PageQuery, toPage } from '../page.ts'
import { ownEndpoint } from '../webhook/index.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryRow,
  type DeliveryView,
  deliveryColumns,
  toDeliveryView,
} from './delivery-view.ts'

export const ListDeliveries = PageQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  eventType: z.enum(EVENT_TYPES).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type ListDeliveries = z.output<typeof ListDeliveries>

/** More are not counted: a caller with more reads on by cursor. */
const MAX_TOTAL = 10_000

/**
 * Deliveries to an endpoint of the caller, newest first. `since` is included, `until` is not. The
 * total stops at 10 000.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `invalid_cursor`
 */
export const listDeliveries = async (
  ctx: Context,
  endpointId: string,
  query: ListDeliveries,
): Promise<Page<DeliveryView>> => {
  const { sql } = ctx
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const endpoint = await ownEndpoint(ctx, endpointId)
  const skip = after ? 0 : (query.page - 1) * query.limit
  const asked = sql`
    delivery.endpoint_id = ${endpoint.id}
      ${query.status ? sql`and delivery.status = ${query.status}` : sql``}
      ${query.since ? sql`and delivery.created_at >= ${new Date(query.since)}` : sql``}
      ${query.until ? sql`and delivery.created_at < ${new Date(query.until)}` : sql``}`
  const isAfter = after
    ? sql`and (delivery.created_at, delivery.id) < (${after.createdAt}, ${after.id})`
    : sql``
  const types = query.eventType ? [query.eventType] : [...EVENT_TYPES]
  /**
   * Reads one range of an index for each type, and merges them: see the index of lists. Deliveries
   * that are not delivered have an index of their own.
   */
  const chosen = (columns: Part, rest: Part) =>
    query.status === undefined || query.status === 'delivered'
      ? sql`
          select delivery.* from unnest(${types}::text[]) as type cross join lateral (
            select ${columns} from webhook_delivery delivery
            where ${asked} and delivery.event_type = type ${rest}
          ) delivery`
      : sql`
          select delivery.* from (
            select ${columns} from webhook_delivery delivery
            where ${asked} and delivery.status <> 'delivered'
              and delivery.event_type = any(${types}::text[]) ${rest}
          ) delivery`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total
    from (${chosen(sql`1`, sql`limit ${MAX_TOTAL}`)} limit ${MAX_TOTAL}) counted`
  const rows = await sql<DeliveryRow[]>`
    select ${deliveryColumns(ctx)} from (
      ${chosen(
        sql`*`,
        sql`${isAfter} order by delivery.created_at desc, delivery.id desc
            limit ${skip + query.limit + 1}`,
      )}
      order by created_at desc, id desc limit ${query.limit + 1} offset ${skip}
    ) delivery
    order by delivery.created_at desc, delivery.id desc`
  return toPage(rows, query, count?.total ?? 0, keyOf, toDeliveryView)
}

const keyOf = ({ created_at: createdAt, id }: DeliveryRow) => ({ createdAt, id })
