import type { Context } from '../../src/domain/context.ts'
import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'
import { timeOfId } from '../../src/kernel/ids.ts'
import type { Span } from '../../src/kernel/tracing.ts'
import type { DeliveryResult } from '../../src/webhooks/index.ts'

/** One attempt at a delivery as a part of the trace that its event belongs to. */
export const startAttemptSpan = (
  { tracer }: Context,
  { id, endpointId, eventId, attempts, traceParent, url }: ClaimedDelivery,
): Span =>
  tracer.start('webhook', {
    kind: 'client',
    parent: traceParent,
    attributes: () => ({
      'http.request.method': 'POST',
      // No more of the address: its path and query may hold a secret of the receiver's.
      'server.address': URL.parse(url)?.hostname ?? '',
      'fundproof.event_id': eventId,
      'fundproof.delivery_id': id,
      'fundproof.endpoint_id': endpointId,
      'fundproof.attempt': attempts + 1,
    }),
  })

/** What is told of an attempt that has a result. */
export const tellAttempt = (
  { metrics, clock }: Context,
  delivery: ClaimedDelivery,
  { statusCode, errorKind }: DeliveryResult,
  span: Span,
): void => {
  const outcome = outcomeOf(statusCode, errorKind)
  metrics.count('fundproof_webhook_attempts_total', { outcome })
  if (errorKind === null && isFirstRun(delivery)) {
    const seconds = (clock.now().getTime() - timeOfId(delivery.eventId)) / 1_000
    metrics.observe('fundproof_webhook_delivery_latency_seconds', {}, Math.max(0, seconds))
  }
  if (statusCode !== null) span.set({ 'http.response.status_code': statusCode })
  span.end(errorKind === null ? undefined : outcome)
}

/** One line, for `info` only where something went wrong: the rest is in the numbers and the list. */
export const logAttempt = (
  { log }: Context,
  { id: deliveryId, endpointId, eventId, requestId, attempts }: ClaimedDelivery,
  { statusCode, errorKind, durationMs }: DeliveryResult,
): void => {
  const level = errorKind === null ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const ids = { deliveryId, endpointId, eventId, requestId }
  log[level]({ ...ids, attempt: attempts + 1, statusCode, errorKind, durationMs }, 'webhook')
}

/** Later than this after its event a delivery is made because somebody asks for old events. */
const REPLAYED_AFTER_MS = 3_600_000

const isFirstRun = ({ id, eventId, attempts, scheduleAttempts }: ClaimedDelivery): boolean =>
  attempts === scheduleAttempts && timeOfId(id) - timeOfId(eventId) < REPLAYED_AFTER_MS

const outcomeOf = (statusCode: number | null, errorKind: DeliveryResult['errorKind']): string => {
  if (errorKind === null) return 'delivered'
  if (errorKind !== 'http' || statusCode === null) return errorKind
  return `http_${Math.floor(statusCode / 100)}xx`
}
