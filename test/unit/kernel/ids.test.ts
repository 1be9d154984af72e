import { describe, expect, test } from 'vitest'
import { isId, newId, timeOfId } from '../../../src/kernel/formats/ids.ts'

describe('ids', () => {
  test('are version 7 UUIDs in the order in which they were made, also if the clock goes back', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => newId(Date.now() - (index % 7)))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^.{8}-.{4}-7.{3}-[89ab]/)
    expect(ids.every(isId)).toBe(true)
  })

  test('say the millisecond in which they were made, and later ones a later one', () => {
    // A time ahead of the clock, because the next id never has an earlier time than the one before.
    const at = Date.now() + 1_000
    expect(timeOfId(newId(at))).toBe(at)
    const times = Array.from({ length: 10_000 }, () => timeOfId(newId(at)))
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    expect((times.at(-1) ?? 0) - at).toBeLessThanOrEqual(5)
  })
})
