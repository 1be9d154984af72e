import { expect, test } from 'vitest'
import type { Collector, Sample } from '../../../src/kernel/ports/metrics.ts'
import { createMetricsRegistry } from '../../../src/metrics/index.ts'
import { readSeries } from '../../support/metrics-scrape.ts'

const PENDING = 'fundproof_webhook_deliveries_pending'
const HALTED = 'fundproof_chain_halted'
const UP = 'fundproof_collector_up{collector="rows"}'

const collectorOf = (read: () => Promise<readonly Sample[]>): Collector => ({
  name: 'rows',
  read,
})

test('asks its collectors at each scrape, and lets go of what they give no more', async () => {
  const registry = createMetricsRegistry({ cacheMs: 0 })
  let samples: Sample[] = [
    [PENDING, {}, 4],
    [HALTED, { chain: 1 }, 0],
    [HALTED, { chain: 2 }, 1],
  ]
  registry.collect(collectorOf(async () => samples))
  const first = readSeries(await registry.text())
  expect([first.get(PENDING), first.get(`${HALTED}{chain="2"}`), first.get(UP)]).toEqual([4, 1, 1])
  samples = [[HALTED, { chain: 1 }, 0]]
  const second = readSeries(await registry.text())
  expect([...second.keys()].filter((name) => name.startsWith(HALTED))).toEqual([
    `${HALTED}{chain="1"}`,
  ])
  expect(second.has(PENDING)).toBe(false)
})

test('gives up the numbers of a collector that fails, and not the scrape', async () => {
  const registry = createMetricsRegistry({ cacheMs: 0 })
  let isAway = false
  registry.collect(
    collectorOf(async () => {
      if (isAway) throw new Error('the database is away')
      return [[PENDING, {}, 4]]
    }),
  )
  await registry.text()
  isAway = true
  const series = readSeries(await registry.text())
  expect(series.has(PENDING)).toBe(false)
  expect(series.get(UP)).toBe(0)
  expect(series.has('process_cpu_seconds_total')).toBe(true)
  isAway = false
  expect(readSeries(await registry.text()).get(PENDING)).toBe(4)
})

test('waits for no collector longer than its limit, and asks it but once meanwhile', async () => {
  const registry = createMetricsRegistry({ cacheMs: 60_000, limitMs: 50 })
  const slow = Promise.withResolvers<readonly Sample[]>()
  let reads = 0
  registry.collect(
    collectorOf(() => {
      reads++
      return slow.promise
    }),
  )
  const texts = await Promise.all([registry.text(), registry.text()])
  for (const text of texts) {
    expect(readSeries(text).get(UP)).toBe(0)
    expect(readSeries(text).has(PENDING)).toBe(false)
  }
  slow.resolve([[PENDING, {}, 7]])
  expect(readSeries(await registry.text()).get(PENDING)).toBe(7)
  expect(reads).toBe(1)
})

test('asks a collector once for scrapes that come shortly after each other', async () => {
  const registry = createMetricsRegistry({ cacheMs: 60_000 })
  let reads = 0
  registry.collect(collectorOf(async () => [[PENDING, {}, ++reads]]))
  for (let scrape = 0; scrape < 3; scrape++) {
    expect(readSeries(await registry.text()).get(PENDING)).toBe(1)
  }
})

test('leaves out a gauge that was never set', async () => {
  const series = readSeries(await createMetricsRegistry().text())
  expect([...series.keys()].filter((name) => name === 'fundproof_event_streams_open')).toEqual([])
})
