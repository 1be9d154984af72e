import { describe, expect, test } from 'vitest'
import { isAbove, slopeOf } from '../../bench/soak/samples.ts'

/** An hour of samples, one a minute, whose noise goes up and down by up to 2 MB. */
const samples = (mbPerHour: number) =>
  Array.from({ length: 60 }, (_, minute) => ({
    atS: minute * 60,
    value: 100 + (mbPerHour * minute) / 60 + 2 * Math.sin(minute * 2.4),
  }))

describe('the growth of memory in a soak', () => {
  test('is the slope of all samples in an hour', () => {
    expect(slopeOf('a process', samples(30)).perHour).toBeCloseTo(30, 0)
  })

  test.each([
    [0, false],
    [1, false],
    [5, true],
  ])('of %i MB an hour is too much: %s', (mbPerHour, isTooMuch) => {
    expect(isAbove(slopeOf('a process', samples(mbPerHour)), 1)).toBe(isTooMuch)
  })
})
