import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { METRICS, type MetricDefinition, type Metrics } from '../kernel/metrics.ts'

/** The numbers of one process, and their text for Prometheus to scrape. */
export type MetricsRegistry = Metrics & {
  readonly contentType: string
  /** The text exposition format of everything that is known now. */
  text(): Promise<string>
}

/** Counters and gauges of the catalogue, and those of the Node.js process itself. */
export const createMetricsRegistry = (): MetricsRegistry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  for (const [name, definition] of Object.entries<MetricDefinition>(METRICS)) {
    const options = {
      name,
      help: definition.help,
      labelNames: [...definition.labels],
      registers: [registry],
    }
    if (definition.kind === 'counter') counters.set(name, new Counter(options))
    else gauges.set(name, new Gauge(options))
  }
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count: (name, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
    gauge: (name, labels, value) => gauges.get(name)?.set({ ...labels }, value),
  }
}
