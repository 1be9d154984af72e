/**
 * How much of a rate limit that was not used may be made up for. Slots are even, and claims are
 * not: without it each claim that comes a little late would cost a slot.
 */
export const SLOT_TOLERANCE_MS = 250

const MINUTE_MS = 60_000

/**
 * Slots a millisecond for a limit of one a minute. A little less than the limit, so that with what
 * is made up for there are never more in any minute than it allows.
 */
export const SLOTS_PER_MS = 1 / (MINUTE_MS + SLOT_TOLERANCE_MS)

/** Requests a minute to an endpoint that has never answered 2xx: its owner may not have agreed. */
export const FIRST_RATE_PER_MINUTE = 6
