import { setTimeout as delay } from 'node:timers/promises'

/** The node pool's clock and random numbers, so that tests can control them. */
export type Timing = {
  /** The time on a monotonic clock. */
  nowMs(): number
  /** Resolves after `ms`, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** A random number from 0 to 1, excluding 1. */
  random(): number
}

export const systemTiming: Timing = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  random: () => Math.random(),
}

/** A random time of 0.5 to 1.5 times `ms`, so that not all clients retry at the same time. */
export const jittered = (ms: number, timing: Timing): number => ms * (0.5 + timing.random())
