import type { Timing } from './timing.ts'

/**
 * A node's rate limit, learnt from its throttling: unlimited until it first throttles us, then half
 * of the measured rate. Each success adds 5 %, each further throttling halves it (as in TCP's
 * additive-increase/multiplicative-decrease, but with a multiplicative increase).
 */
type AdaptiveRate = {
  /** How long the next request must wait. */
  delayMs(): number
  /** Waits for the next slot. Returns at once while there is no limit. */
  acquire(signal: AbortSignal): Promise<void>
  succeeded(): void
  throttled(): void
  /** Requests per second; null: unlimited. */
  perSecond(): number | null
  /** Whether the node throttles even the slowest rate: then the requests are too large. */
  isThrottledAtSlowest(): boolean
}

const WINDOW_MS = 1_000
const SLOWEST_PER_S = 1
const GROWTH = 1.05
const MAX_THROTTLED_AT_SLOWEST = 3
/** From this rate on the node counts as unlimited. */
const UNLIMITED_PER_S = 1_000

export const createAdaptiveRate = (timing: Timing): AdaptiveRate => {
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
  const delayMs = () => (limit === null ? 0 : Math.max(0, nextTurnMs - timing.nowMs()))

  return {
    delayMs,
    async acquire(signal) {
      if (limit !== null) {
        const waitMs = delayMs()
        nextTurnMs = timing.nowMs() + waitMs + 1_000 / limit
        if (waitMs > 0) await timing.sleep(waitMs, signal)
      }
      note()
    },
    succeeded() {
      throttledAtSlowest = 0
      if (limit === null) return
      limit *= GROWTH
      if (limit > UNLIMITED_PER_S) limit = null
    },
    throttled() {
      if (limit === SLOWEST_PER_S) throttledAtSlowest += 1
      limit = Math.max(SLOWEST_PER_S, (limit ?? Math.max(inWindow, inLastWindow)) / 2)
    },
    perSecond: () => limit,
    isThrottledAtSlowest: () => throttledAtSlowest >= MAX_THROTTLED_AT_SLOWEST,
  }
}
