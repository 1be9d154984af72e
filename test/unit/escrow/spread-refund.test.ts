import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadRefund } from '../../../src/domain/escrow/follow/spread-refund.ts'

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

test('the parts of a refund sum to it, fit into their transfers, and are in proportion', () => {
  const lefts = fc.array(fc.bigInt(0n, 300n), { maxLength: 8 })
  fc.assert(
    fc.property(fc.bigInt(0n, 1_500n), lefts, (amount, lefts) => {
      const { parts, rest } = spreadRefund(
        amount,
        lefts.map((left) => ({ left })),
      )
      const total = sumOf(lefts)
      const spread = amount < total ? amount : total
      expect(parts).toHaveLength(lefts.length)
      expect([sumOf(parts), rest]).toEqual([spread, amount - spread])
      for (const [index, part] of parts.entries()) {
        const left = lefts[index] ?? 0n
        expect(part).toBeGreaterThanOrEqual(0n)
        expect(part).toBeLessThanOrEqual(left)
        const error = part * total - spread * left
        expect(error < 0n ? -error : error).toBeLessThanOrEqual(total)
      }
    }),
  )
})
