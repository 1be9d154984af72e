import { z } from 'zod'
import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import { DELIVERY_STATUSES } from '../../../kernel/statuses.ts'
import { EVENT_TYPES, type EventType } from '../../../outbox/events.ts'
import type { DeliveryResult } from '../../../webhooks/index.ts'
import {
  Moment,
  type Page,
  PageQuery,
  readPage,
  severalOf,
  withStatus,
} from '../../shared/index.ts'
import { ownEndpoint } from '../webhook/get-endpoint.ts'
import type { StoredAttempt } from './attempt-outcome.ts'
import { type DeliveryView, deliveryColumns, unknownDelivery } from './delivery-view.ts'

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
  // One index has the deliveries of both halves, if their status is one of INDEXED.
  const isWhole = query.status?.length && query.status.every((one) => INDEXED.includes(one))
  const halves = isWhole && event === undefined ? [sql``] : halvesOf(sql, event)
  const chosen = halves.flatMap((ofType) =>
    withStatus(
      sql,
      query.status,
      INDEXED,
      (ofStatus) => sql`
    select id, created_at as at from webhook_delivery
    where endpoint_id = ${endpoint.id} ${ofType}
      ${ofStatus}
      ${since ? sql`and created_at >= ${since}` : sql``}
      ${until ? sql`and created_at < ${until}` : sql``}`,
    ),
  )
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<DeliveryView[]>`
      select ${deliveryColumns(ctx)} from webhook_delivery delivery
      where delivery.id = any(${ids}::uuid[])`,
  })
}

/**
 * SQL conditions on the type of the event. Each of them has an index in list order, and together
 * they have all deliveries, or those of one type.
 */
const halvesOf = (sql: Queryable, event?: EventType): Part[] => {
  const completed = sql`and event_type = 'donation.completed'`
  const others = sql`and event_type <> 'donation.completed'`
  if (event === undefined) return [completed, others]
  return [event === 'donation.completed' ? completed : sql`${others} and event_type = ${event}`]
}

/** One attempt: a request to the receiver and, if the receiver answered, the response. */
type AttemptView = Omit<DeliveryResult, 'retryAfterMs'> & { number: number }

/** The limit for all response bodies together, as JSON. The oldest bodies are left out first. */
const MAX_ANSWERS_BYTES = 400_000

/**
 * Reads a delivery to an endpoint of the caller, with its stored attempts, the oldest first.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` if there is no such delivery
 */
export const getDelivery = async (
  ctx: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView & { attemptLog: AttemptView[] }> => {
  const endpoint = await ownEndpoint(ctx, endpointId)
  const [row] = isId(deliveryId)
    ? await ctx.sql<(DeliveryView & { attemptLog: StoredAttempt[] })[]>`
        select ${deliveryColumns(ctx)}, delivery.attempt_log from webhook_delivery delivery
        where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
    : []
  if (!row) throw unknownDelivery()
  let answersBytes = 0
  const attemptLog = row.attemptLog.map((stored, index) => {
    const attempt = { statusCode: null, errorKind: null, responseBody: null, ...stored }
    answersBytes += Buffer.byteLength(JSON.stringify(attempt.responseBody))
    return {
      ...attempt,
      number: row.attempts - index,
      startedAt: new Date(attempt.startedAt),
      responseBody: answersBytes <= MAX_ANSWERS_BYTES ? attempt.responseBody : null,
    }
  })
  return { ...row, attemptLog: attemptLog.toReversed() }
}
