import { describe, expect, test } from 'vitest'
import { idsOf, isId, MAX_IDS_OF_MS, newId, timeOfId } from '../../../src/kernel/formats/ids.ts'

const AT = Date.UTC(2026, 10, 21, 12, 0, 0, 123)

describe('ids', () => {
  test('are version 7 UUIDs in the order in which they were made, whatever the clock does', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => newId(Date.now() - (index % 7)))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^.{8}-.{4}-7.{3}-[89ab]/)
    expect(ids.every(isId)).toBe(true)
  })

  test('of one millisecond say that very millisecond, in order, as many as the counter has', () => {
    // The clock of newId has gone on: what is made for a moment says that moment all the same.
    newId(AT + 1_000_000)
    const next = idsOf(AT)
    const ids = Array.from({ length: MAX_IDS_OF_MS }, next)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids.map(timeOfId))).toEqual(new Set([AT]))
    expect(ids.every(isId)).toBe(true)
    for (const id of ids) expect(id).toMatch(/^.{8}-.{4}-7.{3}-[89ab]/)
    expect(next).toThrow(RangeError)
  })

  test('of two makers for the same millisecond differ', () => {
    const [one, other] = [idsOf(AT), idsOf(AT)]
    const ids = Array.from({ length: 1_000 }, () => [one(), other()]).flat()
    expect(new Set(ids).size).toBe(2_000)
  })
})
