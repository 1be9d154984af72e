import { createLru } from '../../kernel/lru.ts'

const KEPT_MS = 15_000
const MAX_KEPT = 1_000

type Kept<T> = { untilMs: number; value: Promise<T> }

/**
 * Makes a function that runs a costly read at most once in 15 seconds for each key, however many
 * visitors ask. Visitors who ask at the same time share one read. A failed read is not kept.
 */
export const createShortKeeper = <T>(nowMs: () => number = performance.now.bind(performance)) => {
  const kept = createLru<Kept<T>>(MAX_KEPT)
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(key)
    if (known && nowMs() < known.untilMs) return known.value
    const value = read()
    kept.set(key, { untilMs: nowMs() + KEPT_MS, value })
    value.catch(() => {
      if (kept.get(key)?.value === value) kept.delete(key)
    })
    return value
  }
}
