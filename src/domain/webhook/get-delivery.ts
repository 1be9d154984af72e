import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { deliveredAtOnce, madeAt } from './delivered.ts'
import {
  type DeliveryRow,
  type DeliveryView,
  deliveryColumns,
  toDeliveryView,
} from './delivery-view.ts'
import { ownEndpoint } from './own-endpoint.ts'

/** One exchange with the receiver, as far as it came. */
export type AttemptView = {
  number: number
  startedAt: Date
  durationMs: number
  /** Null where no answer came. */
  statusCode: number | null
  /** What went wrong; null where it was delivered. */
  errorKind: string | null
  /** The beginning of the answer. */
  responseBody: string | null
}

type AttemptRow = {
  number: number
  started_at: Date
  duration_ms: number
  status_code: number | null
  error_kind: string | null
  response_body: string | null
}

/** More than any schedule makes; one that was sent again and again shows its newest. */
const MAX_ATTEMPTS = 100

/**
 * One delivery to an endpoint of the caller, with its newest attempts, oldest first.
 *
 * @throws DomainError `unauthenticated`, `not_found`
 */
export const getDelivery = async (
  context: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView & { attemptLog: AttemptView[] }> => {
  const { sql } = context
  const endpoint = await ownEndpoint(context, endpointId)
  if (!isId(deliveryId)) throw noDelivery()
  const [row] = await sql<DeliveryRow[]>`
    select ${deliveryColumns(context)}
    from webhook_delivery delivery join event on event.id = delivery.event_id
    where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
  if (!row) return getDeliveredAtOnce(context, endpoint.id, deliveryId)
  const attempts = await sql<AttemptRow[]>`
    select number, started_at, duration_ms, status_code, error_kind, response_body
    from webhook_attempt where delivery_id = ${row.id}
    order by number desc limit ${MAX_ATTEMPTS}`
  return { ...toDeliveryView(row), attemptLog: attempts.map(toAttemptView).reverse() }
}

const getDeliveredAtOnce = async (
  context: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView & { attemptLog: AttemptView[] }> => {
  const { sql } = context
  const [row] = await sql<(DeliveryRow & AttemptRow)[]>`
    select ${deliveryColumns(context)}, delivery.attempts as number, delivery.started_at,
           delivery.duration_ms, delivery.status_code, null as error_kind, delivery.response_body
    from ${deliveredAtOnce(sql)} delivery join event on event.id = delivery.event_id
    where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpointId}
      and delivery.created_at = ${madeAt(sql, deliveryId)}`
  if (!row) throw noDelivery()
  return { ...toDeliveryView(row), attemptLog: [toAttemptView(row)] }
}

export const noDelivery = () =>
  new DomainError('not_found', 'There is no such delivery to this webhook endpoint.')

const toAttemptView = (row: AttemptRow): AttemptView => ({
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  statusCode: row.status_code,
  errorKind: row.error_kind,
  responseBody: row.response_body,
})
