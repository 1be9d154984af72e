import { expect, onTestFinished, test } from 'vitest'
import { METRICS } from '../../../src/kernel/ports/metrics.ts'
import { createMetricsRegistry, serveMetrics } from '../../../src/metrics/index.ts'

const serve = async () => {
  const registry = createMetricsRegistry()
  const server = await serveMetrics(registry, '127.0.0.1', 0)
  onTestFinished(() => server.close())
  return { registry, url: `http://127.0.0.1:${server.port}` }
}

test('serves counters and gauges with their labels as Prometheus reads them', async () => {
  const { registry, url } = await serve()
  const labels = { chain: 1, node: 'node.example', reason: 'wrong_hash' }
  registry.count('fundproof_node_faults_total', labels)
  registry.count('fundproof_node_faults_total', labels, 2)
  registry.gauge('fundproof_node_up', { chain: 1, node: 'node.example' }, 0)
  const response = await fetch(`${url}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n')
  expect(lines).toContain('# TYPE fundproof_node_faults_total counter')
  expect(lines).toContain(
    'fundproof_node_faults_total{chain="1",node="node.example",reason="wrong_hash"} 3',
  )
  expect(lines).toContain('fundproof_node_up{chain="1",node="node.example"} 0')
  expect(lines.some((line) => line.startsWith('process_cpu_seconds_total'))).toBe(true)
})

test('serves nothing else', async () => {
  const { url } = await serve()
  expect((await fetch(`${url}/`)).status).toBe(404)
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
})

test('says that its port is taken', async () => {
  const { registry, url } = await serve()
  await expect(serveMetrics(registry, '127.0.0.1', Number(new URL(url).port))).rejects.toThrow(
    /is taken: .* or set METRICS_PORT/,
  )
})

test('names every metric by the conventions: a prefix, and _total for what only grows', () => {
  for (const [name, { kind }] of Object.entries(METRICS)) {
    expect(name).toMatch(/^fundproof_[a-z_]+$/)
    expect(name.endsWith('_total')).toBe(kind === 'counter')
  }
})
