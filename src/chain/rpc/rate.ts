import type { Timing } from './timing.ts'

const WINDOW_MS = 1_000
const SLOWEST_PER_S = 1
const GROWTH = 1.05
const MAX_THROTTLED_AT_SLOWEST = 3
/** Above this rate, the node counts as unlimited. */
const UNLIMITED_PER_S = 1_000

/**
 * The rate limit of a node, learnt from its refusals. The rate is unlimited until the first
 * refusal, then half of the measured rate. Each success raises the rate by 5 %, and each further
 * refusal halves the rate (similar to TCP's congestion control).
 */
export const createAdaptiveRate = (timing: Timing) => {
  let limit: number | null = null
  let nextTurnMs = 0
  let windowStartMs = 0
  let inWindow = 0
  let inLastWindow = 0
  let throttledAtSlowest = 0

  const note = () => {
    const now = timing.nowMs()
    if (now - windowStartMs >= WINDOW_MS) {
      inLastWindow = now - windowStartMs < 2 * WINDOW_MS ? inWindow : 0
      inWindow = 0
      windowStartMs = now
    }
    inWindow += 1
  }
  /** How long the next request must wait. */
  const delayMs = (): number => (limit === null ? 0 : Math.max(0, nextTurnMs - timing.nowMs()))

  return {
    delayMs,
    /** Waits until a request may be sent. Returns at once if there is no limit. */
    async acquire(signal: AbortSignal): Promise<void> {
      if (limit !== null) {
        const waitMs = delayMs()
        nextTurnMs = timing.nowMs() + waitMs + 1_000 / limit
        if (waitMs > 0) await timing.sleep(waitMs, signal)
      }
      note()
    },
    succeeded(): void {
      throttledAtSlowest = 0
      if (limit === null) return
      limit *= GROWTH
      if (limit > UNLIMITED_PER_S) limit = null
    },
    throttled(): void {
      if (limit === SLOWEST_PER_S) throttledAtSlowest += 1
      limit = Math.max(SLOWEST_PER_S, (limit ?? Math.max(inWindow, inLastWindow)) / 2)
    },
    /** The allowed requests per second; null if unlimited. */
    perSecond: () => limit,
    /** Whether the node refuses even the slowest rate. Then its batches should hold fewer calls. */
    isThrottledAtSlowest: () => throttledAtSlowest >= MAX_THROTTLED_AT_SLOWEST,
  }
}
