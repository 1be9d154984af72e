/** How many calls a node takes in one batch, without limit until it refuses one. */
export type BatchSize = {
  most(): number
  /** A batch of this size was too large. */
  refused(size: number): void
  served(size: number): void
}

/** What a node refused once may have been one large answer: now and then more is tried again. */
const FULL_BATCHES_BEFORE_MORE = 100

export const createBatchSize = (): BatchSize => {
  let most = Number.POSITIVE_INFINITY
  let full = 0
  return {
    most: () => most,
    refused(size) {
      most = Math.max(1, Math.min(most, Math.floor(size / 2)))
      full = 0
    },
    served(size) {
      if (size < most) return
      full += 1
      if (full < FULL_BATCHES_BEFORE_MORE) return
      most *= 2
      full = 0
    },
  }
}
