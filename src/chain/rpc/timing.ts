import { setTimeout as delay } from 'node:timers/promises'

/** Time and chance as the node pool sees them, so that tests move them instead of waiting. */
export type Timing = {
  /** Milliseconds that never go backwards. */
  nowMs(): number
  /** Resolves after `ms`, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 to 1. */
  random(): number
}

export const systemTiming: Timing = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  random: () => Math.random(),
}

/** A wait around `ms`, so that clients that failed together do not come back together. */
export const jittered = (ms: number, timing: Timing): number => ms * (0.5 + timing.random())
