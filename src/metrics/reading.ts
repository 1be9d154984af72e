import { setTimeout as delay } from 'node:timers/promises'
import type { Collector, Sample } from '../kernel/ports/metrics.ts'

export type ReadingOptions = {
  /** How long what was read stays good: several scrapers ask the database once. */
  cacheMs?: number
  /** How long a scrape waits for it. */
  limitMs?: number
}

/**
 * Reads a collector for a scrape: at most once in `cacheMs`, never twice at a time, and for no
 * longer than `limitMs`. `use` gets what was read, or null for what failed or took too long; the
 * scrape itself never fails by it.
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
