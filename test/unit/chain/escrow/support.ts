import fc from 'fast-check'
import type { EscrowTerms } from '../../../../src/chain/escrow/terms.ts'

const repeated = (byte: string): string => `0x${byte.repeat(20)}`

/** Terms that break no rule. */
export const validTerms: EscrowTerms = {
  campaign: `0x${'11'.repeat(32)}`,
  recipient: repeated('22'),
  creator: repeated('33'),
  asset: repeated('44'),
  target: 100n,
  deadline: 2_000_000_000,
  activateBy: 2_000_000_001,
  expiry: 2_000_000_002,
  challenge: 86_400,
  quorum: 2,
  surplusToRecipient: true,
  verifiers: [repeated('55'), repeated('66')],
  milestones: [
    { amount: 30n, required: 1 },
    { amount: 70n, required: 2 },
  ],
}

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `0x${Buffer.from(array).toString('hex')}`)

const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const seconds = uint(40).map(Number)

/** Terms of any values that fit into their bytes. */
export const anyTerms: fc.Arbitrary<EscrowTerms> = fc.record({
  campaign: hex(32),
  recipient: hex(20),
  creator: hex(20),
  asset: hex(20),
  target: uint(128),
  deadline: seconds,
  activateBy: seconds,
  expiry: seconds,
  challenge: uint(32).map(Number),
  quorum: fc.nat(255),
  surplusToRecipient: fc.boolean(),
  verifiers: fc.array(hex(20), { maxLength: 20 }),
  milestones: fc.array(fc.record({ amount: uint(128), required: fc.nat(255) }), { maxLength: 40 }),
})
