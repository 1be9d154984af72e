import { Interface } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escrowFactory } from '../../../contracts-abi/index.ts'
import { checkTerms } from '../../../src/chain/escrow/terms.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'

const RUNS = 3_000
const DAY = 86_400

/** A field of `bytes` bytes, in most cases one of `usual`, so that most terms break few rules. */
const field = (bytes: number, ...usual: (bigint | number)[]) =>
  fc
    .oneof(
      { weight: 30, arbitrary: fc.constantFrom(...usual.map(BigInt)) },
      { weight: 1, arbitrary: fc.bigInt(0n, 2n ** BigInt(8 * bytes) - 1n) },
      { weight: 1, arbitrary: fc.constantFrom(0n, 2n ** BigInt(8 * bytes) - 1n) },
    )
    .map((value) => value.toString(16).padStart(2 * bytes, '0'))

/** Rising addresses, in some cases with one that is 0, equal or lower, and mostly a majority. */
const verifiers = fc
  .integer({ min: 0, max: 17 })
  .chain((count) =>
    fc
      .tuple(
        field(1, majority(count), majority(count), count, count + 1, majority(count) - 1),
        ...Array.from({ length: count }, (_, index) => field(20, 16 * index + 1, 16 * index + 2)),
      )
      .map(([quorum, ...list]) => ({ count, quorum, packed: list.join('') })),
  )
const majority = (count: number): number => Math.floor(count / 2) + 1
const milestone = fc.tuple(field(16, 1, 10), field(1, 1, 2)).map((parts) => parts.join(''))
const milestones = fc
  .oneof(
    { weight: 9, arbitrary: fc.array(milestone, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(milestone, { minLength: 30, maxLength: 34 }) },
  )
  .map((list) => ({ count: list.length, packed: list.join('') }))
const count = (value: number) => value.toString(16).padStart(2, '0')

const terms = fc
  .record({
    head: fc.tuple(
      field(32, 1),
      field(20, 5),
      field(20, 6),
      field(20, 7, 7, 7, 7, 5),
      field(16, 50, 400, 10 ** 6),
      field(5, 100),
      field(5, 100, 101, 101, 101, 99),
      field(5, 101, 102, 102, 102, 100),
      field(4, DAY, 30 * DAY, 2 * DAY, DAY - 1, 30 * DAY + 1),
    ),
    surplus: field(1, 0, 1, 1, 2),
    verifiers,
    milestones,
    change: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
  })
  .map(({ head, surplus, verifiers: people, milestones: steps, change }) => {
    const counts = count(people.count) + count(steps.count)
    const choices = people.quorum + surplus
    const packed = head.join('') + choices + counts + people.packed + steps.packed
    return `0x${change > 0 ? `${packed}00` : packed.slice(0, packed.length + 2 * change)}`
  })
const bytes = fc
  .uint8Array({ maxLength: 200 })
  .map((list) => `0x${Buffer.from(list).toString('hex')}`)

test.skipIf(!hasAnvil)(
  'the service and the contract refuse the same terms',
  async () => {
    const chain = await startTestChain()
    const { address, deployedBytecode } = escrowFactory
    await chain.call('anvil_setCode', [address, deployedBytecode])
    const factory = new Interface(['function check(bytes terms) view returns (uint256)'])
    const found = new Map<number, number>()
    const agrees = async (packed: string): Promise<void> => {
      const data = factory.encodeFunctionData('check', [packed])
      const rule = Number(await chain.call<string>('eth_call', [{ to: address, data }, 'latest']))
      found.set(rule, (found.get(rule) ?? 0) + 1)
      expect(checkTerms(packed)).toBe(rule)
    }
    await fc.assert(fc.asyncProperty(fc.oneof({ weight: 20, arbitrary: terms }, bytes), agrees), {
      numRuns: RUNS,
    })
    const rules = Array.from({ length: 17 }, (_, rule) => rule)
    expect(rules.filter((rule) => !found.has(rule))).toEqual([])
  },
  300_000,
)
