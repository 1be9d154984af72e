import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTerms, packTerms, unpackTerms } from '../../../../src/escrow/terms.ts'
import { anyTerms, brokenTerms, validTerms } from './support.ts'

describe('the terms of an escrow', () => {
  test('are the same after they are packed and unpacked', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        expect(unpackTerms(packTerms(terms))).toEqual(terms)
      }),
    )
  })

  test('are packed as the contract reads them', () => {
    const packed = packTerms(validTerms)
    expect(packed).toBe(
      [
        '0x',
        '11'.repeat(32),
        '22'.repeat(20),
        '33'.repeat(20),
        '44'.repeat(20),
        '00000000000000000000000000000064',
        '0077359400',
        '0077359401',
        '0077359402',
        '02',
        '01',
        '02',
        '02',
        '55'.repeat(20),
        '66'.repeat(20),
        '0000000000000000000000000000001e01',
        '0000000000000000000000000000004602',
      ].join(''),
    )
    expect(checkTerms(packed)).toBe(0)
  })

  test.each([
    ['a target', { target: 2n ** 128n }],
    ['a time', { expiry: 2 ** 40 }],
    ['a quorum', { quorum: 256 }],
    ['a negative amount', { milestones: [{ amount: -1n, required: 1 }] }],
    ['an address', { recipient: `0x${'11'.repeat(21)}` }],
  ])('are not packed with %s that does not fit', (_, changes) => {
    expect(() => packTerms({ ...validTerms, ...changes })).toThrow(RangeError)
  })

  test('are refused by the first rule that they break', () => {
    const found = brokenTerms.map(([, terms]) => checkTerms(packTerms(terms)))
    expect(found).toEqual(brokenTerms.map(([rule]) => rule))
  })

  test('are refused if their length does not fit their counts, or if they are not hex', () => {
    const packed = packTerms(validTerms)
    expect(['0x', packed.slice(0, -2), `${packed}00`].map(checkTerms)).toEqual([1, 1, 1])
    expect(() => unpackTerms(packed.slice(0, -2))).toThrow(RangeError)
    expect(() => checkTerms('0x0')).toThrow(RangeError)
    expect(() => checkTerms('terms')).toThrow(RangeError)
    const surplus = `${packed.slice(0, 2 + 2 * 124)}02${packed.slice(2 + 2 * 125)}`
    expect(checkTerms(surplus)).toBe(8)
  })
})
