/** After the node served this number of full batches, the limit of calls per batch doubles. */
const FULL_BATCHES_BEFORE_MORE = 100

/** The number of calls that a node takes in one batch: unlimited until the node refuses a batch. */
export const createBatchSize = () => {
  let most = Number.POSITIVE_INFINITY
  let full = 0
  return {
    most: (): number => most,
    /** Records that a batch of this size is too large for the node. */
    refused(size: number): void {
      most = Math.max(1, Math.min(most, Math.floor(size / 2)))
      full = 0
    },
    served(size: number): void {
      if (size < most) return
      full += 1
      if (full < FULL_BATCHES_BEFORE_MORE) return
      most *= 2
      full = 0
    },
  }
}
