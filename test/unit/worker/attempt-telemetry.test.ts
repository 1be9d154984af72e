import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import type { ClaimedDelivery } from '../../../src/domain/events/index.ts'
import { firstIdOf } from '../../../src/kernel/formats/ids.ts'
import { noTracing } from '../../../src/kernel/ports/tracing.ts'
import type { DeliveryResult } from '../../../src/webhooks/index.ts'
import { recordTelemetry, startAttemptSpan } from '../../../worker/delivery/attempt-telemetry.ts'
import { createTestMetrics } from '../../support/metrics.ts'

const START_MS = Date.now()

const deliveryAt = (eventMs: number, deliveryMs: number): ClaimedDelivery =>
  ({
    eventId: firstIdOf(eventMs),
    id: firstIdOf(deliveryMs),
    endpointId: firstIdOf(0),
    attempts: 0,
    scheduleAttempts: 0,
    traceParent: null,
    url: 'https://user:secret@receiver.example/hook?token=secret',
  }) as ClaimedDelivery

const tell = (delivery: ClaimedDelivery, result: Partial<DeliveryResult>, nowMs = START_MS) => {
  const metrics = createTestMetrics()
  const ctx = { metrics, tracer: noTracing, clock: { now: () => new Date(nowMs) } } as Context & {
    metrics: typeof metrics
  }
  const full = { statusCode: null, errorKind: null, ...result } as DeliveryResult
  recordTelemetry(ctx, delivery, full, startAttemptSpan(ctx, delivery))
  return metrics
}

test.each([
  ['delivered', { statusCode: 204, errorKind: null }],
  ['http_3xx', { statusCode: 302, errorKind: 'http' }],
  ['http_4xx', { statusCode: 410, errorKind: 'http' }],
  ['http_5xx', { statusCode: 503, errorKind: 'http' }],
  ['timeout', { errorKind: 'timeout' }],
  ['connection', { errorKind: 'connection' }],
  ['refused_address', { errorKind: 'refused_address' }],
  ['body', { statusCode: 200, errorKind: 'body' }],
] as const)('counts an attempt as %s', (outcome, result) => {
  const metrics = tell(deliveryAt(START_MS, START_MS), result)
  expect(metrics.value('fundproof_webhook_attempts_total', { outcome })).toBe(1)
})

const latencies = (eventMs: number, deliveryMs: number, nowMs: number) =>
  tell(deliveryAt(eventMs, deliveryMs), { statusCode: 200 }, nowMs).observed(
    'fundproof_webhook_delivery_latency_seconds',
    {},
  )

test('times a delivery from its event on', () => {
  const [seconds] = latencies(START_MS, START_MS + 40, START_MS + 2_500)
  expect(seconds).toBeCloseTo(2.5, 1)
})

test('does not take an old event that was asked for again as a slow delivery', () => {
  const day = 86_400_000
  expect(latencies(START_MS, START_MS + day, START_MS + day + 10)).toEqual([])
  const sentAgain = { ...deliveryAt(START_MS, START_MS + 10), attempts: 3 }
  const metrics = tell(sentAgain, { statusCode: 200 }, START_MS + day)
  expect(metrics.observed('fundproof_webhook_delivery_latency_seconds', {})).toEqual([])
})

test('tells a trace nothing of an address but its host', () => {
  const started: unknown[] = []
  const tracer = {
    start: (...given: Parameters<typeof noTracing.start>) => {
      const [name, { attributes, ...options }] = given
      started.push([name, options, typeof attributes === 'function' ? attributes() : attributes])
      return noTracing.start(...given)
    },
  }
  startAttemptSpan({ tracer } as unknown as Context, deliveryAt(START_MS, START_MS))
  expect(JSON.stringify(started)).toContain('"server.address":"receiver.example"')
  expect(JSON.stringify(started)).not.toContain('secret')
})
