import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTerms, packTerms, unpackTerms } from '../../../../src/chain/escrow/terms.ts'
import { anyTerms, validTerms } from './support.ts'

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
        '00015180',
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
    const zero = `0x${'00'.repeat(20)}`
    const [first = '', second = ''] = validTerms.verifiers
    const [milestone] = validTerms.milestones
    const broken: [number, Partial<typeof validTerms>][] = [
      [2, { campaign: `0x${'00'.repeat(32)}` }],
      [3, { recipient: zero }],
      [3, { creator: zero }],
      [3, { asset: zero }],
      [3, { recipient: validTerms.asset }],
      [4, { target: 0n }],
      [5, { deadline: 0 }],
      [6, { activateBy: validTerms.deadline - 1 }],
      [7, { expiry: validTerms.activateBy - 1 }],
      [8, { challenge: 86_399 }],
      [8, { challenge: 30 * 86_400 + 1 }],
      [10, { verifiers: [] }],
      [10, { verifiers: Array.from({ length: 17 }, (_, i) => `0x${String(i + 10).repeat(20)}`) }],
      [11, { verifiers: [second, first] }],
      [11, { verifiers: [first, first] }],
      [11, { verifiers: [zero, second] }],
      [12, { quorum: 0 }],
      [12, { quorum: 1 }],
      [12, { quorum: 3 }],
      [13, { milestones: [] }],
      [13, { milestones: Array.from({ length: 33 }, () => ({ amount: 1n, required: 1 })) }],
      [
        14,
        {
          milestones: [
            { amount: 1n, required: 9 },
            { amount: 0n, required: 1 },
          ],
        },
      ],
      [15, { milestones: [{ amount: 1n, required: 0 }] }],
      [15, { milestones: [{ amount: 1n, required: 3 }] }],
      [16, { milestones: [{ amount: 101n, required: 1 }] }],
      [2, { campaign: `0x${'00'.repeat(32)}`, target: 0n }],
    ]
    expect(milestone).toBeDefined()
    const found = broken.map(([, changes]) => checkTerms(packTerms({ ...validTerms, ...changes })))
    expect(found).toEqual(broken.map(([rule]) => rule))
  })

  test('are refused if their length does not fit their counts, or if they are not hex', () => {
    const packed = packTerms(validTerms)
    expect(['0x', packed.slice(0, -2), `${packed}00`].map(checkTerms)).toEqual([1, 1, 1])
    expect(() => unpackTerms(packed.slice(0, -2))).toThrow(RangeError)
    expect(() => checkTerms('0x0')).toThrow(RangeError)
    expect(() => checkTerms('terms')).toThrow(RangeError)
    const surplus = `${packed.slice(0, 2 + 2 * 128)}02${packed.slice(2 + 2 * 129)}`
    expect(checkTerms(surplus)).toBe(9)
  })
})
