/** The middle of some figures; 0 of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which a share of the figures lies (nearest rank); 0 of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** A figure with as many digits as anybody reads. */
export const rounded = (value: number, digits = 0): number => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
