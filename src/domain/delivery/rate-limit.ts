/**
 * Unused time of a rate limit that may be caught up. Slots are evenly spaced and claims are not:
 * without it, each slightly late claim would lose a slot.
 */
export const SLOT_TOLERANCE_MS = 250

const MINUTE_MS = 60_000

/**
 * Slots per millisecond for a limit of one per minute. Slightly below the limit, so that no minute
 * exceeds it even with the caught-up time.
 */
export const SLOTS_PER_MS = 1 / (MINUTE_MS + SLOT_TOLERANCE_MS)

/** Requests a minute to an endpoint without a 2xx response yet: its owner may not have agreed. */
export const FIRST_RATE_PER_MINUTE = 6
