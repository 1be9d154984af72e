import fc from 'fast-check'
import type { EscrowTerms } from '../../../../src/escrow/terms.ts'

const repeated = (byte: string): string => `0x${byte.repeat(20)}`

/** Terms that the factory accepts. */
export const validTerms: EscrowTerms = {
  campaign: `0x${'11'.repeat(32)}`,
  recipient: repeated('22'),
  creator: repeated('33'),
  asset: repeated('44'),
  target: 100n,
  deadline: 2_000_000_000,
  activateBy: 2_000_000_001,
  expiry: 2_000_000_002,
  quorum: 2,
  surplusToRecipient: true,
  verifiers: [repeated('55'), repeated('66')],
  milestones: [
    { amount: 30n, required: 1 },
    { amount: 70n, required: 2 },
  ],
}

const zero = `0x${'00'.repeat(20)}`
const [first = '', second = ''] = validTerms.verifiers
const broken: [rule: number, changes: Partial<EscrowTerms>][] = [
  [2, { campaign: `0x${'00'.repeat(32)}` }],
  [3, { recipient: zero }],
  [3, { creator: zero }],
  [3, { asset: zero }],
  [3, { recipient: validTerms.asset }],
  [4, { target: 0n }],
  [5, { deadline: 0 }],
  [6, { activateBy: validTerms.deadline - 1 }],
  [7, { expiry: validTerms.activateBy - 1 }],
  [9, { verifiers: [] }],
  [9, { verifiers: Array.from({ length: 17 }, (_, i) => `0x${String(i + 10).repeat(20)}`) }],
  [10, { verifiers: [second, first] }],
  [10, { verifiers: [first, first] }],
  [10, { verifiers: [zero, second] }],
  [11, { quorum: 0 }],
  [11, { quorum: 1 }],
  [11, { quorum: 3 }],
  [12, { milestones: [] }],
  [12, { milestones: Array.from({ length: 33 }, () => ({ amount: 1n, required: 1 })) }],
  [
    13,
    {
      milestones: [
        { amount: 1n, required: 9 },
        { amount: 0n, required: 1 },
      ],
    },
  ],
  [14, { milestones: [{ amount: 1n, required: 0 }] }],
  [14, { milestones: [{ amount: 1n, required: 3 }] }],
  [15, { milestones: [{ amount: 101n, required: 1 }] }],
  [15, { milestones: [{ amount: 99n, required: 1 }] }],
  [2, { campaign: `0x${'00'.repeat(32)}`, target: 0n }],
]

/**
 * Pairs of the number of a rule and terms that break this rule, and no rule with a lower number.
 */
export const brokenTerms = broken.map(([rule, changes]): [rule: number, terms: EscrowTerms] => [
  rule,
  { ...validTerms, ...changes },
])

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `0x${Buffer.from(array).toString('hex')}`)

const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const seconds = uint(40).map(Number)

/** Arbitrary terms whose values fit into their bytes. They may break rules. */
export const anyTerms: fc.Arbitrary<EscrowTerms> = fc.record({
  campaign: hex(32),
  recipient: hex(20),
  creator: hex(20),
  asset: hex(20),
  target: uint(128),
  deadline: seconds,
  activateBy: seconds,
  expiry: seconds,
  quorum: fc.nat(255),
  surplusToRecipient: fc.boolean(),
  verifiers: fc.array(hex(20), { maxLength: 20 }),
  milestones: fc.array(fc.record({ amount: uint(128), required: fc.nat(255) }), { maxLength: 40 }),
})
