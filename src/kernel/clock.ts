/** The time, injected wherever a rule depends on it, so that tests move it instead of waiting. */
export type Clock = { now(): Date }

/** How far a chain's clock may be behind ours without a new payment being taken for an old one. */
export const CHAIN_BEHIND_MS = 60_000

export const systemClock: Clock = { now: () => new Date() }

/**
 * Whether `ms` have passed since a time of the same clock. Also true where the clock was set back by
 * as much: else a time that was noted while it was ahead would count as new until it is reached.
 */
export const hasPassed = (nowMs: number, sinceMs: number, ms: number): boolean =>
  Math.abs(nowMs - sinceMs) >= ms
