/** How many rows of a kind are looked at: more than that is said as that many. */
export const MAX_COUNTED = 100_000

/** Seconds since a time; 0 where nothing waits, so that the series stays there. */
export const ageSeconds = (now: Date, since: Date | null): number =>
  since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
