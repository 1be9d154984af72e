/** The time, injected wherever a rule depends on it, so that tests move it instead of waiting. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
