import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escrowAddress } from '../../../src/chain/escrow/address.ts'
import { packTerms } from '../../../src/chain/escrow/terms.ts'
import { escrowAddress as provenAddress } from '../../../src/verifier/escrow.ts'
import { anyTerms } from '../chain/escrow/support.ts'

test('computes the address of an escrow as the service does, for any terms', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const packed = packTerms(terms)
      expect(provenAddress(packed)).toBe(escrowAddress(packed))
    }),
  )
})
