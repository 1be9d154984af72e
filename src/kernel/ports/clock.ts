/** The current time, injected so that tests can set it. */
export type Clock = {
  now(): Date
  /** If false, nothing may be removed, expired or disabled, because a clock is wrong. */
  isTrusted(): boolean
}

/** The longest time by which a chain's block times may lag behind the service's clock. */
export const CHAIN_BEHIND_MS = 60_000

export const systemClock: Clock = { now: () => new Date(), isTrusted: () => true }

/**
 * Whether `ms` milliseconds have passed from `sinceMs` to `nowMs`. Also true if the clock was set
 * back by at least `ms`, because otherwise the caller would wait too long.
 */
export const hasPassed = (nowMs: number, sinceMs: number, ms: number): boolean =>
  Math.abs(nowMs - sinceMs) >= ms
