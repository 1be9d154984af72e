import { expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { createAlarm } from '../../../worker/alarm.ts'

const setUp = () => {
  vi.useFakeTimers()
  const rings: number[] = []
  const alarm = createAlarm(systemClock, () => rings.push(Date.now()))
  return { rings, alarm, from: Date.now() }
}

test('rings once, at the earliest of its times', () => {
  const { rings, alarm, from } = setUp()
  alarm.at(new Date(from + 300))
  alarm.at(new Date(from + 100))
  alarm.at(new Date(from + 200))
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([from + 100])
  alarm.at(new Date(from + 1_050))
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([from + 100, from + 1_050])
  vi.useRealTimers()
})

test('never rings before its time, even where its timer ends early', () => {
  vi.useFakeTimers()
  const from = Date.now()
  let behindMs = 3
  const rings: number[] = []
  // The clock is behind the timers until the first timer has ended.
  const now = () => new Date(Date.now() - behindMs)
  const alarm = createAlarm({ ...systemClock, now }, () => rings.push(now().getTime()))
  alarm.at(new Date(from + 100))
  vi.advanceTimersByTime(1)
  behindMs = 8
  vi.advanceTimersByTime(1_000)
  expect(rings).toHaveLength(1)
  expect(rings[0]).toBeGreaterThanOrEqual(from + 100)
  vi.useRealTimers()
})

test('rings no more when it is stopped, and not for what is far away', () => {
  const { rings, alarm, from } = setUp()
  alarm.at(new Date(from + 3_600_000))
  vi.advanceTimersByTime(4_000_000)
  alarm.at(new Date(Date.now() + 100))
  alarm.stop()
  alarm.at(new Date(Date.now() + 100))
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([])
  vi.useRealTimers()
})
