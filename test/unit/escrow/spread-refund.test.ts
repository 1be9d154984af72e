import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadRefund } from '../../../src/domain/blocks/follow-escrow/spread-refund.ts'

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

test('the parts of a refund sum to it, fit into their transfers, and are in proportion', () => {
  const lists = fc.array(fc.bigInt(0n, 300n), { maxLength: 8 })
  fc.assert(
    fc.property(fc.bigInt(0n, 1_500n), lists, (refund, amounts) => {
      const { parts, rest } = spreadRefund(refund, amounts)
      const total = sumOf(amounts)
      const spread = refund < total ? refund : total
      expect(parts).toHaveLength(amounts.length)
      expect([sumOf(parts), rest]).toEqual([spread, refund - spread])
      for (const [index, part] of parts.entries()) {
        const own = amounts[index] ?? 0n
        expect(part).toBeGreaterThanOrEqual(0n)
        expect(part).toBeLessThanOrEqual(own)
        const error = part * total - spread * own
        expect(error < 0n ? -error : error).toBeLessThanOrEqual(total)
      }
    }),
  )
})
