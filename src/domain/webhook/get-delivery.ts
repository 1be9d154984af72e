import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
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
  const [row] = isId(deliveryId)
    ? await sql<DeliveryRow[]>`
        select ${deliveryColumns(context)}
        from webhook_delivery delivery join event on event.id = delivery.event_id
        where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
    : []
  if (!row) throw noDelivery()
  const attempts = await sql<AttemptRow[]>`
    select number, started_at, duration_ms, status_code, error_kind, response_body
    from webhook_attempt where delivery_id = ${row.id}
    order by number desc limit ${MAX_ATTEMPTS}`
  return { ...toDeliveryView(row), attemptLog: attempts.map(toAttemptView).reverse() }
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
