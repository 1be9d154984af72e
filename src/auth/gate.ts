import { DomainError } from '../kernel/errors.ts'

/** Runs costly work at a bounded concurrency, with a bounded queue behind it. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * @param running how many run at once
 * @param waiting how many may wait; what comes on top is refused with DomainError `unavailable`
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
      // The one that finishes passes its slot on, so `active` does not change.
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
