/** At most so many rows of a kind are counted. The metric does not exceed it. */
export const MAX_COUNTED = 100_000

/** Seconds since a time; 0 if nothing waits, so that the series continues. */
export const ageSeconds = (now: Date, since: Date | null): number =>
  since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
