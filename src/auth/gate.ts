import { DomainError } from '../kernel/errors.ts'

/** Limits how many pieces of work run at the same time. Further work waits in a bounded queue. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * @param running at most this number of pieces of work run at the same time
 * @param waiting at most this number of pieces of work wait; one more throws `unavailable`
 */
export const createGate = (running: number, waiting: number): Gate => {
  const queue: (() => void)[] = []
  let active = 0
  return async (work) => {
    if (active < running) active++
    else {
      if (queue.length >= waiting) {
        throw new DomainError('unavailable', 'Too many sign-ins at once. Try again shortly.')
      }
      // Work that ends gives its slot to the next work in the queue, so `active` does not change.
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else active--
    }
  }
}
