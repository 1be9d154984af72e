/** The current time, injected so that tests can set it. */
export type Clock = { now(): Date }

/** How far a chain's clock may lag behind ours before a new payment counts as an old one. */
export const CHAIN_BEHIND_MS = 60_000

export const systemClock: Clock = { now: () => new Date() }

/**
 * Whether `ms` have passed since a time of the same clock. Also true if the clock was set back by
 * at least `ms`, because a time from before that change would otherwise count as new for too long.
 */
export const hasPassed = (nowMs: number, sinceMs: number, ms: number): boolean =>
  Math.abs(nowMs - sinceMs) >= ms
