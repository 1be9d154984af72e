import type {
  AttemptResult,
  ClaimedDelivery,
  Dispatch,
  DispatchResult,
} from '../../src/domain/delivery/index.ts'

/** The deliveries of one dispatch, until they are recorded together. */
export type Batch = {
  begin(delivery: ClaimedDelivery): void
  /** Takes a result. False where the batch is closed: the delivery has a row of its own then. */
  end(result: AttemptResult): boolean
  /** A delivery that is not to be sent now becomes a row that is due. */
  skip(delivery: ClaimedDelivery): void
  close(): void
  /** Resolves when the batch is recorded, or given up to the end of its lease. */
  readonly recorded: Promise<void>
}

/**
 * Opens a batch. It closes when each delivery has a result, at the latest after `openMs`: an attempt
 * that is still in flight then is recorded as such, and its result follows alone.
 *
 * @param record called once, at the close. It must not reject.
 */
export const openBatch = (
  { lease, eventIds, deliveries }: Dispatch,
  openMs: number,
  record: (result: DispatchResult) => Promise<void>,
): Batch => {
  const unsent = new Set(deliveries)
  const inFlight = new Set<ClaimedDelivery>()
  const skipped: ClaimedDelivery[] = []
  const results: AttemptResult[] = []
  const { promise: recorded, resolve } = Promise.withResolvers<void>()
  let closed = false

  const close = (): void => {
    if (closed) return
    closed = true
    clearTimeout(timer)
    const left = { inFlight: [...inFlight], unsent: [...skipped, ...unsent] }
    void record({ lease, eventIds, results, ...left }).then(resolve)
  }
  const timer = setTimeout(close, openMs)
  const closeIfDone = (): void => {
    if (unsent.size === 0 && inFlight.size === 0) close()
  }
  return {
    begin(delivery) {
      unsent.delete(delivery)
      inFlight.add(delivery)
    },
    end(result) {
      if (closed) return false
      inFlight.delete(result.delivery)
      results.push(result)
      closeIfDone()
      return true
    },
    skip(delivery) {
      if (unsent.delete(delivery)) skipped.push(delivery)
      closeIfDone()
    },
    close,
    recorded,
  }
}
