/** The median of some numbers, or 0 without numbers. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]
  return (low + high) / 2
}

/** The value below which this share of the numbers lies (nearest rank), or 0 without numbers. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Rounds a number to this number of decimals. */
export const rounded = (value: number, digits = 0): number => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
