import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { openTracing } from '../../../src/tracing/index.ts'
import { startOtlpCollector } from '../../support/otlp-collector.ts'
import { waitFor } from '../../support/wait-for.ts'

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const UNSAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'

const open = async (endpoint: string, ratio = 1) => {
  const tracing = await openTracing({
    endpoint,
    ratio,
    service: 'fundproof-test',
    instanceId: 'one',
    version: '1.2.3',
    log: createLog('silent', 'test'),
  })
  onTestFinished(() => tracing.close())
  return tracing
}

test('sends a span to the collector as a child of the caller, with its attributes and links', async () => {
  const collector = await startOtlpCollector()
  const { tracer } = await open(collector.url)
  const span = tracer.start('POST /api/donations', {
    kind: 'server',
    parent: CALLER,
    links: [UNSAMPLED],
    attributes: { 'http.route': '/api/donations' },
  })
  expect(span.traceParent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/)
  span.set({ 'http.response.status_code': 503 })
  span.end('unavailable')
  const [sent] = await waitFor(
    'a span',
    () => collector.spans,
    (spans) => spans.length === 1,
  )
  expect(sent).toEqual({
    service: 'fundproof-test',
    name: 'POST /api/donations',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: span.traceParent?.slice(36, 52),
    parentSpanId: '00f067aa0ba902b7',
    kind: 2,
    attributes: { 'http.route': '/api/donations', 'http.response.status_code': 503 },
    links: [{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }],
    failed: true,
  })
})

test('samples as the caller has decided, and by the ratio without a caller', async () => {
  const collector = await startOtlpCollector()
  const { tracer, close } = await open(collector.url, 0)
  const start = (name: string, parent: string | null) =>
    tracer.start(name, { kind: 'internal', parent })
  const spans = [start('wanted', CALLER), start('unwanted', UNSAMPLED), start('new', null)]
  for (const span of spans) span.end()
  expect(spans.map((span) => span.traceParent?.slice(-2))).toEqual(['01', '00', '00'])
  await close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['wanted'])
})

test('sends what waits when it is closed', async () => {
  const collector = await startOtlpCollector()
  const { tracer, close } = await open(collector.url)
  for (let i = 0; i < 1_200; i++) tracer.start(`${i}`, { kind: 'internal', parent: null }).end()
  await close()
  expect(collector.spans).toHaveLength(1_200)
})

test('neither throws nor waits for a collector that is away, refuses or never answers', async () => {
  const refusing = await startOtlpCollector(400)
  const gone = await startOtlpCollector()
  gone.close()
  for (const url of [refusing.url, gone.url]) {
    const { tracer, close } = await open(url)
    for (let i = 0; i < 10_000; i++) tracer.start('x', { kind: 'client', parent: null }).end()
    const start = performance.now()
    await close()
    expect(performance.now() - start).toBeLessThan(2_000)
  }
  expect(refusing.requests()).toBeGreaterThan(0)
})
