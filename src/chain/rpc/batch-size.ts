/** The number of calls that a node takes in one batch: unlimited until the node refuses a batch. */
type BatchSize = {
  most(): number
  /** Records that a batch of this size is too large for the node. */
  refused(size: number): void
  served(size: number): void
}

/** After the node served this number of full batches, the limit of calls per batch doubles. */
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
