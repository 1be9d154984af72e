import { describe, expect, test } from 'vitest'
import {
  RETRY_PAUSES_MS,
  retryPauseMs,
} from '../../../src/domain/events/delivery/attempt-outcome.ts'

const HOUR_MS = 3_600_000

describe('the retry schedule', () => {
  test('is the published one: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, then no more', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempt) => retryPauseMs(attempt, null, 0.5))
    expect(pauses).toEqual([
      5_000,
      300_000,
      1_800_000,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      10 * HOUR_MS,
    ])
    expect(retryPauseMs(8, null, 0.5)).toBeUndefined()
    expect(retryPauseMs(8, 1_000, 0.5)).toBeUndefined()
  })

  test('varies each pause by a fifth', () => {
    RETRY_PAUSES_MS.forEach((base, index) => {
      expect(retryPauseMs(index + 1, null, 0)).toBe(base * 0.8)
      expect(retryPauseMs(index + 1, null, 0.999_999)).toBeLessThanOrEqual(base * 1.2)
    })
  })

  test('gives the receiver what it asks for, between once and twice the pause', () => {
    expect(retryPauseMs(2, 400_000, 0)).toBe(400_000)
    expect(retryPauseMs(2, 1_000, 0)).toBe(300_000)
    expect(retryPauseMs(2, 24 * HOUR_MS, 0)).toBe(600_000)
  })
})
