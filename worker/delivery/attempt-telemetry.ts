import type { Context } from '../../src/db/context.ts'
import type { ClaimedDelivery } from '../../src/domain/events/index.ts'
import { timeOfId } from '../../src/kernel/formats/ids.ts'
import type { Span } from '../../src/kernel/ports/tracing.ts'
import type { DeliveryResult } from '../../src/webhooks/index.ts'

/** Starts the tracing span of an attempt, in the trace in which the event occurred. */
export const startAttemptSpan = (
  { tracer }: Context,
  { id, endpointId, eventId, attempts, traceParent, url }: ClaimedDelivery,
): Span =>
  tracer.start('webhook', {
    kind: 'client',
    parent: traceParent,
    attributes: () => ({
      'http.request.method': 'POST',
      // Records only the host, because the path and query may contain a secret of the receiver.
      'server.address': URL.parse(url)?.hostname ?? '',
      'fundproof.event_id': eventId,
      'fundproof.delivery_id': id,
      'fundproof.endpoint_id': endpointId,
      'fundproof.attempt': attempts + 1,
    }),
  })

/** Records the metrics of an attempt and ends its span. */
export const recordTelemetry = (
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

/** Logs a failed attempt at the level `info`, and a successful attempt at `debug`. */
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

/** A delivery is a replay if it was created more than this time after its event. */
const REPLAYED_AFTER_MS = 3_600_000

const isFirstRun = ({ id, eventId, attempts, scheduleAttempts }: ClaimedDelivery): boolean =>
  attempts === scheduleAttempts && timeOfId(id) - timeOfId(eventId) < REPLAYED_AFTER_MS

const outcomeOf = (statusCode: number | null, errorKind: DeliveryResult['errorKind']): string => {
  if (errorKind === null) return 'delivered'
  if (errorKind !== 'http' || statusCode === null) return errorKind
  return `http_${Math.floor(statusCode / 100)}xx`
}
