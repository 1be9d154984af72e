import { isId } from '../../kernel/formats/ids.ts'
import type { DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { ownEndpoint } from '../webhook/index.ts'
import type { StoredAttempt } from './attempt-outcome.ts'
import { type DeliveryView, deliveryColumns, unknownDelivery } from './delivery-view.ts'

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
  const attemptLog = row.attemptLog.map((attempt, index) => {
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
