import { expect } from 'vitest'

/** The factor between the two inputs. Quadratic work grows by its square. */
const LONGER = 8
/**
 * The limit of growth: three doublings of the input, each of which may triple the work, give 27.
 */
const MOST = 27
/** Work that takes at most this time is fast enough, so its growth is not measured. */
const SHORT_MS = 7
const SHORT_TRIES = 5
/**
 * Some systems count processor time in steps of 4 ms, so a shorter measurement has an error above
 * 10 %.
 */
const MEASURED_MS = 60
const MEASUREMENTS = 5

/**
 * Expects that work at most triples when its input doubles. Measures processor time, which other
 * processes do not affect. Fails only if every measurement shows too much growth.
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

/** The processor time of one run, as an average over enough runs for a measurement. */
const processorMsOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const usedMs = (user + system) / 1_000
    if (usedMs >= MEASURED_MS) return usedMs / runs
  }
}
