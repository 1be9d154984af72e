import { Interface } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escrow, escrowFactory } from '../../../contracts-abi/index.ts'
import { escrowAddress } from '../../../src/escrow/address.ts'
import { deployCall } from '../../../src/escrow/calls.ts'
import { checkTerms, type EscrowTerms, packTerms } from '../../../src/escrow/terms.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { anyTerms, validTerms } from '../../unit/chain/escrow/support.ts'
import { startFactoryChain } from './support/planned.ts'

const factory = new Interface(escrowFactory.abi)
const contract = new Interface(escrow.abi)

/** Starts a chain with a factory. Returns the functions of this factory. */
const startFactory = async () => {
  const chain = await startFactoryChain()
  const ask = async (to: string, abi: Interface, name: string, args: unknown[]) => {
    const data = abi.encodeFunctionData(name, args)
    const result = await chain.call<string>('eth_call', [{ to, data }, 'latest'])
    return abi.decodeFunctionResult(name, result)[0] as unknown
  }
  return {
    chain,
    check: async (packed: string) =>
      Number(await ask(escrowFactory.address, factory, 'check', [packed])),
    predict: async (packed: string) =>
      String(await ask(escrowFactory.address, factory, 'predict', [packed])).toLowerCase(),
    termsAt: (account: string) => ask(account, contract, 'terms', []),
  }
}

const zero = `0x${'00'.repeat(20)}`
const one = <K extends keyof EscrowTerms>(name: K, values: fc.Arbitrary<EscrowTerms[K]>) =>
  values.map((value): Partial<EscrowTerms> => ({ [name]: value }))

/** A change of one field to a value at, or next to, the limit of a rule. */
const change: fc.Arbitrary<Partial<EscrowTerms>> = fc.oneof(
  one('campaign', fc.constant(`0x${'00'.repeat(32)}`)),
  one('recipient', fc.constantFrom(validTerms.asset, zero)),
  one('creator', fc.constant(zero)),
  one('asset', fc.constantFrom(validTerms.recipient, zero)),
  one('target', fc.constantFrom(0n, 99n, 101n, 2n ** 128n - 1n)),
  one('deadline', fc.constantFrom(0, 1, 2_000_000_001, 2_000_000_002)),
  one('activateBy', fc.constantFrom(1_999_999_999, 2_000_000_000, 2_000_000_002)),
  one('expiry', fc.constantFrom(2_000_000_000, 2_000_000_001, 2 ** 40 - 1)),
  one('quorum', fc.nat(3)),
  one('surplusToRecipient', fc.boolean()),
  one('verifiers', fc.array(fc.constantFrom(...validTerms.verifiers, zero), { maxLength: 3 })),
  one(
    'verifiers',
    fc.nat(20).map((count) => rising(count)),
  ),
  one(
    'milestones',
    fc.array(fc.record({ amount: fc.constantFrom(0n, 1n, 50n), required: fc.nat(3) }), {
      maxLength: 3,
    }),
  ),
  one(
    'milestones',
    fc.nat(40).map((count) => Array(count).fill({ amount: 1n, required: 1 })),
  ),
)

const rising = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${String(index + 10).repeat(20)}`)

/** Valid terms with at most two changes, so that each rule is sometimes the first broken rule. */
const nearlyValid: fc.Arbitrary<EscrowTerms> = fc
  .array(change, { maxLength: 2 })
  .map((changes) => Object.assign({ ...validTerms }, ...changes))

const bytes = fc
  .uint8Array({ maxLength: 200 })
  .map((array) => `0x${Buffer.from(array).toString('hex')}`)

/** Packed terms with any byte for the surplus. The TypeScript code writes only 0 and 1. */
const withSurplus = fc.nat(255).map((byte) => replaced(packTerms(validTerms), 124, byte))

const replaced = (packed: string, at: number, byte: number): string => {
  const offset = 2 + 2 * at
  return packed.slice(0, offset) + byte.toString(16).padStart(2, '0') + packed.slice(offset + 2)
}

/** Packed terms in which one byte is changed. */
const mutated = fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => {
  const packed = packTerms(validTerms)
  return replaced(packed, at % (packed.length / 2 - 1), byte)
})

test.skipIf(!hasAnvil)('terms are refused by the same rule here and on the chain', async () => {
  const { check } = await startFactory()
  const seen = new Set<number>()
  const packed = fc.oneof(
    nearlyValid.map(packTerms),
    withSurplus,
    mutated,
    anyTerms.map(packTerms),
    bytes,
  )
  await fc.assert(
    fc.asyncProperty(packed, async (terms) => {
      const rule = await check(terms)
      seen.add(rule)
      expect(checkTerms(terms)).toBe(rule)
    }),
    { numRuns: 1_500 },
  )
  expect(await check(packTerms(validTerms))).toBe(0)
  expect([...seen].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i))
})

test.skipIf(!hasAnvil)(
  'an escrow has the address that is computed here, with its terms',
  async () => {
    const { chain, predict, termsAt } = await startFactory()
    for (const surplusToRecipient of [true, false]) {
      const packed = packTerms({ ...validTerms, surplusToRecipient })
      expect(await predict(packed)).toBe(escrowAddress(packed))
      const { to, data } = deployCall(packed)
      await chain.send(await chain.sign(3, { to, data, gasLimit: 1_000_000n }))
      await chain.mine()
      expect(await termsAt(escrowAddress(packed))).toBe(packed)
    }
  },
)
