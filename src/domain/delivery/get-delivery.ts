import { isId } from '../../kernel/formats/ids.ts'
import type { DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { ownEndpoint } from '../webhook/index.ts'
import type { StoredAttempt } from './attempt-outcome.ts'
import { type DeliveryView, deliveryColumns, unknownDelivery } from './delivery-view.ts'

/** One attempt: a request to the receiver, and its response if there was one. */
type AttemptView = Omit<DeliveryResult, 'retryAfterMs'> & { number: number }

/** Limit for all response bodies together, as JSON. Beyond it, older attempts have no body. */
const MAX_ANSWERS_BYTES = 400_000

/**
 * Reads a delivery to an endpoint of the caller, with its newest attempts in order of time.
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
