/** The middle of some figures, or the mean of the two in the middle; 0 of none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

/** The value below which a share of the figures lies (nearest rank); 0 of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** A figure with as many digits as a report needs. */
export const rounded = (value: number, digits = 0): number => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
