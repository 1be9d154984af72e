import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  type Collector,
  type GaugeName,
  METRICS,
  type MetricDefinition,
  type Metrics,
  type Sample,
} from '../kernel/ports/metrics.ts'

type ReadingOptions = {
  /** For this time, further requests for metrics get the same reading. */
  cacheMs?: number
  /** The longest time that a request for metrics waits for a reading. */
  limitMs?: number
}

/**
 * Creates a function that reads a collector, at most once in `cacheMs`, and passes the samples to
 * `use`. `use` gets null if the reading failed or took longer than `limitMs`. The function never
 * throws.
 */
const createReading = (
  collector: Collector,
  use: (samples: readonly Sample[] | null) => void,
  { cacheMs = 5_000, limitMs = 1_000 }: ReadingOptions = {},
): (() => Promise<void>) => {
  let underWay: Promise<void> | undefined
  let goodUntilMs = 0

  const read = async (): Promise<void> => {
    try {
      use(await collector.read())
    } catch {
      use(null)
    }
    goodUntilMs = performance.now() + cacheMs
    underWay = undefined
  }

  return async () => {
    if (underWay === undefined && performance.now() < goodUntilMs) return
    underWay ??= read()
    const limit = new AbortController()
    const timeUp = delay(limitMs, 'late' as const, { signal: limit.signal }).catch(() => undefined)
    if ((await Promise.race([underWay, timeUp])) === 'late') use(null)
    limit.abort()
  }
}

/** The metrics of one process, as text for Prometheus. */
export type MetricsRegistry = Metrics & {
  readonly contentType: string
  /** Reads the collectors and returns all metrics in the text format of Prometheus. */
  text(): Promise<string>
}

/** Names of default gauges to remove. Prometheus allows the suffix `_total` only for counters. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Creates the metrics of `METRICS` and of the Node.js process. */
export const createMetricsRegistry = (options: ReadingOptions = {}): MetricsRegistry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  const definitions: Readonly<Record<string, MetricDefinition>> = METRICS
  for (const [name, definition] of Object.entries(definitions)) {
    const { help, labels } = definition
    const described = { name, help, labelNames: [...labels], registers: [registry] }
    if (definition.kind === 'counter') counters.set(name, new Counter(described))
    else if (definition.kind === 'gauge') gauges.set(name, new Gauge(described))
    else histograms.set(name, new Histogram({ ...described, buckets: [...definition.buckets] }))
  }

  /** Clears a gauge. `reset` would set a gauge without labels to 0, so this removes its value. */
  const withdraw = (name: GaugeName): void => {
    const gauge = gauges.get(name)
    if (METRICS[name].labels.length === 0) gauge?.remove()
    else gauge?.reset()
  }
  for (const [name, { kind }] of Object.entries(METRICS)) {
    if (kind === 'gauge') withdraw(name as GaugeName)
  }

  /** Replaces a collector's last samples. Null means a failed reading and leaves no samples. */
  const replacing = (collector: Collector) => {
    let known: readonly Sample[] = []
    return (samples: readonly Sample[] | null): void => {
      for (const [name] of known) withdraw(name)
      known = samples ?? []
      for (const [name, labels, value] of known) gauges.get(name)?.set({ ...labels }, value)
      const up = samples === null ? 0 : 1
      gauges.get('fundproof_collector_up')?.set({ collector: collector.name }, up)
    }
  }
  const readings: (() => Promise<void>)[] = []

  return {
    contentType: registry.contentType,
    async text() {
      await Promise.all(readings.map((read) => read()))
      return registry.metrics()
    },
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    gauge: (name, labels, value) => gauges.get(name)?.set({ ...labels }, value),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    collect(collector) {
      readings.push(createReading(collector, replacing(collector), options))
    },
  }
}
