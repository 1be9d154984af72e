import type { Part } from '../../db/client.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { deliveredAtOnce, handedOver, itsEvent, madeAt } from './delivery-sources.ts'
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
  /** The beginning of the answer; null for an old attempt after many long answers. */
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

/** What is known of the attempt of a delivery that has none of its own stored; else null. */
type OnlyAttempt = {
  started_at: Date | null
  duration_ms: number | null
  status_code: number | null
  response_body: string | null
}

/** More than any schedule makes; one that was sent again and again shows its newest. */
const MAX_ATTEMPTS = 100
/** Of answers, as JSON: with more, older attempts are shown without theirs. */
const MAX_ANSWERS_BYTES = 400_000

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
  const only = (deliveries: Part, attempt: Part) => sql`
    select ${deliveryColumns(context)}, ${attempt}
    from ${deliveries} delivery ${itsEvent(sql)}
    where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
  const none = () => sql`
    null::timestamptz as started_at, null::int as duration_ms, null::int as status_code,
    null as response_body`
  const [row] = await sql<(DeliveryRow & OnlyAttempt)[]>`
    ${only(sql`webhook_delivery`, none())}
    union all
    ${only(deliveredAtOnce(sql), sql`started_at, duration_ms, status_code, response_body`)}
      and delivery.created_at = ${madeAt(sql, deliveryId)}
    union all
    ${only(handedOver(sql), none())}`
  if (!row) throw noDelivery()
  const { started_at, duration_ms, status_code, response_body } = row
  const attempts =
    started_at && duration_ms !== null
      ? [{ number: 1, started_at, duration_ms, status_code, error_kind: null, response_body }]
      : await newestAttempts(context, row.id)
  return { ...toDeliveryView(row), attemptLog: attempts.map(toAttemptView) }
}

const newestAttempts = async ({ sql }: Context, deliveryId: string): Promise<AttemptRow[]> => {
  const newestFirst = await sql<AttemptRow[]>`
    select number, started_at, duration_ms, status_code, error_kind,
           case when sum(octet_length(to_json(response_body)::text)) over (order by number desc)
                  <= ${MAX_ANSWERS_BYTES} then response_body end as response_body
    from webhook_attempt where delivery_id = ${deliveryId}
    order by number desc limit ${MAX_ATTEMPTS}`
  return newestFirst.toReversed()
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
