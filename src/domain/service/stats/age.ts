/** Metrics count at most this many rows, so that counting stays fast. */
export const MAX_COUNTED = 100_000

/** Returns the seconds since a time, or 0 for null, so that the metric always has a value. */
export const ageSeconds = (now: Date, since: Date | null): number =>
  since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
