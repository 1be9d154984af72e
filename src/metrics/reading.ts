import { setTimeout as delay } from 'node:timers/promises'
import type { Collector, Sample } from '../kernel/ports/metrics.ts'

export type ReadingOptions = {
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
export const createReading = (
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
