import { expect } from 'vitest'

/** How much longer the larger input is; quadratic work grows by the square of it. */
const LONGER = 8
/** Doubling may at most triple the work: three doublings, at most 27 times. */
const MOST = 27
/** Work as short as this is fast enough, however it grows. */
const SHORT_MS = 7
const SHORT_TRIES = 5
/** Some systems count processor time in steps of 4 ms: so much of it is measured within 10 %. */
const MEASURED_MS = 60
const MEASUREMENTS = 5

/**
 * Expects that work at most triples where its input doubles. Processor time is measured, which
 * other processes do not lengthen, and only work that grows too much in each measurement fails.
 */
export const expectLinear = (
  what: string,
  size: number,
  prepare: (size: number) => () => void,
): void => {
  const large = prepare(size)
  if (isShort(large)) return
  const small = prepare(size / LONGER)
  let ratio = 0
  for (let measurement = 0; measurement < MEASUREMENTS; measurement++) {
    ratio = processorMsOf(large) / processorMsOf(small)
    if (ratio <= MOST) return
  }
  expect.fail(`${what}: ${LONGER} times the input took ${Math.round(ratio)} times as long`)
}

const isShort = (work: () => void): boolean => {
  for (let tries = 0; tries < SHORT_TRIES; tries++) {
    const start = performance.now()
    work()
    const tookMs = performance.now() - start
    if (tookMs <= SHORT_MS) return true
    if (tookMs > 100 * SHORT_MS) return false
  }
  return false
}

/** Of one run, from as many as take long enough to be measured. */
const processorMsOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const usedMs = (user + system) / 1_000
    if (usedMs >= MEASURED_MS) return usedMs / runs
  }
}
