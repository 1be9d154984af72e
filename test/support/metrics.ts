import type { Collector, Metrics } from '../../src/kernel/ports/metrics.ts'

/**
 * Metrics that a test can read: `value` is a counter or gauge by name and labels, 0 if never set.
 */
export type TestMetrics = Metrics & {
  value(name: string, labels: Readonly<Record<string, string | number>>): number
  /** The values that a histogram got, in order. */
  observed(name: string, labels: Readonly<Record<string, string | number>>): number[]
  readonly collectors: readonly Collector[]
}

export const createTestMetrics = (): TestMetrics => {
  const values = new Map<string, number>()
  const observations = new Map<string, number[]>()
  const collectors: Collector[] = []
  const keyOf = (name: string, labels: Readonly<Record<string, string | number>>): string =>
    JSON.stringify([name, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
  return {
    count: (name, labels, by = 1) => {
      const key = keyOf(name, labels)
      values.set(key, (values.get(key) ?? 0) + by)
    },
    gauge: (name, labels, value) => {
      values.set(keyOf(name, labels), value)
    },
    observe: (name, labels, value) => {
      const key = keyOf(name, labels)
      observations.set(key, [...(observations.get(key) ?? []), value])
    },
    collect: (collector) => {
      collectors.push(collector)
    },
    observed: (name, labels) => observations.get(keyOf(name, labels)) ?? [],
    collectors,
    value: (name, labels) => values.get(keyOf(name, labels)) ?? 0,
  }
}
