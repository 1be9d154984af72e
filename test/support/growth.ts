import { expect } from 'vitest'

/** How much longer the larger input is; quadratic work grows by the square of it. */
const LONGER = 8
/** Doubling may at most triple the work: three doublings, at most 27 times. */
const MOST = 27
/** Below this the garbage collector says more than the work does. */
const FLOOR_MS = 0.25
const LEAST_ROUNDS = 3
const MOST_ROUNDS = 30

/**
 * Expects that work at most triples where its input doubles. The best of several runs counts, so that
 * only growth itself fails.
 */
export const expectLinear = (
  what: string,
  size: number,
  prepare: (size: number) => () => void,
): void => {
  const small = prepare(size / LONGER)
  const large = prepare(size)
  let smallMs = Number.POSITIVE_INFINITY
  let largeMs = Number.POSITIVE_INFINITY
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    largeMs = Math.min(largeMs, timeOf(large))
    if (largeMs <= MOST * FLOOR_MS) return
    smallMs = Math.min(smallMs, timeOf(small))
    if (round >= LEAST_ROUNDS && largeMs <= MOST * smallMs) return
  }
  expect.fail(
    `${what}: ${LONGER} times the input took ${Math.round(largeMs / smallMs)} times as long`,
  )
}

/** Processor time of this thread, which a busy machine does not change. */
const timeOf = (work: () => void): number => {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}
