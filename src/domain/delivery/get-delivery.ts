import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { ownEndpoint } from '../webhook/index.ts'
import type { StoredAttempt } from './attempt-outcome.ts'
import {
  type DeliveryRow,
  type DeliveryView,
  deliveryColumns,
  toDeliveryView,
} from './delivery-view.ts'

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

/** Of answers, as JSON: with more, older attempts are shown without theirs. */
const MAX_ANSWERS_BYTES = 400_000

/**
 * One delivery to an endpoint of the caller, with its newest attempts, oldest first.
 *
 * @throws DomainError `unauthenticated`, `not_found`
 */
export const getDelivery = async (
  ctx: Context,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView & { attemptLog: AttemptView[] }> => {
  const endpoint = await ownEndpoint(ctx, endpointId)
  const [row] = isId(deliveryId)
    ? await ctx.sql<(DeliveryRow & { attempt_log: StoredAttempt[] })[]>`
        select ${deliveryColumns(ctx)}, delivery.attempt_log from webhook_delivery delivery
        where delivery.id = ${deliveryId} and delivery.endpoint_id = ${endpoint.id}`
    : []
  if (!row) throw noDelivery()
  let answersBytes = 0
  const attemptLog = row.attempt_log.map((attempt, index) => {
    answersBytes += Buffer.byteLength(JSON.stringify(attempt.responseBody))
    return {
      ...attempt,
      number: row.attempts - index,
      startedAt: new Date(attempt.startedAt),
      responseBody: answersBytes <= MAX_ANSWERS_BYTES ? attempt.responseBody : null,
    }
  })
  return { ...toDeliveryView(row), attemptLog: attemptLog.toReversed() }
}

export const noDelivery = () =>
  new DomainError('not_found', 'There is no such delivery to this webhook endpoint.')
