import type { Timing } from './timing.ts'

/**
 * How fast a node wants to be asked, learnt from its complaints: without limit until the first one,
 * then half of what was measured; 5 % more with each success, half with each further complaint
 * (additive-increase/multiplicative-decrease, as in TCP, with a multiplicative increase).
 */
export type AdaptiveRate = {
  /** How long a request has to wait for its turn, in ms. */
  delayMs(): number
  /** Takes the next turn. At once while there is no limit. */
  acquire(signal: AbortSignal): Promise<void>
  succeeded(): void
  complained(): void
  /** Requests a second; null: without limit. */
  perSecond(): number | null
  /** Whether it complains even of the slowest rate: then what it minds is the size of the requests. */
  isInVain(): boolean
}

const WINDOW_MS = 1_000
const SLOWEST_PER_S = 1
const GROWTH = 1.05
const VAIN_COMPLAINTS = 3
/** A node that bears this has no limit that matters to us. */
const UNLIMITED_PER_S = 1_000

export const createAdaptiveRate = (timing: Timing): AdaptiveRate => {
  let limit: number | null = null
  let nextTurnMs = 0
  let windowStartMs = 0
  let inWindow = 0
  let inLastWindow = 0
  let complaintsAtSlowest = 0

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
      complaintsAtSlowest = 0
      if (limit === null) return
      limit *= GROWTH
      if (limit > UNLIMITED_PER_S) limit = null
    },
    complained() {
      if (limit === SLOWEST_PER_S) complaintsAtSlowest += 1
      limit = Math.max(SLOWEST_PER_S, (limit ?? Math.max(inWindow, inLastWindow)) / 2)
    },
    perSecond: () => limit,
    isInVain: () => complaintsAtSlowest >= VAIN_COMPLAINTS,
  }
}
