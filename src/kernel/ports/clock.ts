/** The current time, injected so that tests can set it. */
export type Clock = { now(): Date }

/** The longest time by which a chain's block times may lag behind the service's clock. */
export const CHAIN_BEHIND_MS = 60_000

export const systemClock: Clock = { now: () => new Date() }

/**
 * Whether `ms` milliseconds have passed from `sinceMs` to `nowMs`. Also true if the clock was set
 * back by at least `ms`, because otherwise the caller would wait too long.
 */
export const hasPassed = (nowMs: number, sinceMs: number, ms: number): boolean =>
  Math.abs(nowMs - sinceMs) >= ms
