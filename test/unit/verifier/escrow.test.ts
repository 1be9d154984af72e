import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escrowAddress } from '../../../src/escrow/address.ts'
import { checkTerms, packTerms } from '../../../src/escrow/terms.ts'
import { checkEscrow, escrowAddress as provenAddress } from '../../../src/verifier/escrow.ts'
import type { DonationProof } from '../../../src/verifier/proof.ts'
import { anyTerms, brokenTerms, validTerms } from '../chain/escrow/support.ts'

test('computes the address of an escrow as the service does, for any terms', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const packed = packTerms(terms)
      expect(provenAddress(packed)).toBe(escrowAddress(packed))
    }),
  )
})

describe('a proof of a payment to the address of an escrow', () => {
  /** Returns the result of checking a payment to the address of these terms. */
  const answerTo = (packed: string): string => {
    const donation = { account: escrowAddress(packed as `0x${string}`) }
    try {
      return checkEscrow({ donation } as DonationProof, packed).why
    } catch (error) {
      return (error as Error).message
    }
  }
  const refusal = 'No escrow can have these terms, because they break its rules.'

  test.each(brokenTerms)('is refused if its terms break rule %i of the factory', (_, terms) => {
    expect(answerTo(packTerms(terms))).toBe(refusal)
  })

  test('is refused if the terms have another length, or another byte for the surplus', () => {
    const packed = packTerms(validTerms)
    const surplus = `${packed.slice(0, 2 + 2 * 124)}02${packed.slice(2 + 2 * 125)}`
    for (const terms of ['0x', packed.slice(0, -2), `${packed}00`, surplus]) {
      expect(answerTo(terms)).toBe(refusal)
    }
  })

  test('is accepted for the same terms as the factory accepts', () => {
    const nearlyValid = fc
      .record({ changed: anyTerms, names: fc.subarray(Object.keys(validTerms), { maxLength: 1 }) })
      .map(({ changed, names }) => ({
        ...validTerms,
        ...Object.fromEntries(Object.entries(changed).filter(([name]) => names.includes(name))),
      }))
    fc.assert(
      fc.property(nearlyValid, (terms) => {
        const packed = packTerms(terms)
        expect(answerTo(packed) !== refusal).toBe(checkTerms(packed) === 0)
      }),
    )
  })
})
