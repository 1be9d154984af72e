import type { Metrics } from '../../src/kernel/metrics.ts'

/** Metrics that a test can look at: the value of a counter or gauge by name and labels, 0 if never set. */
export type TestMetrics = Metrics & {
  value(name: string, labels: Readonly<Record<string, string | number>>): number
}

export const createTestMetrics = (): TestMetrics => {
  const values = new Map<string, number>()
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
    value: (name, labels) => values.get(keyOf(name, labels)) ?? 0,
  }
}
