import { id } from 'ethers'
import { readEscrowEvent } from '../../../src/chain/escrow/events.ts'
import type { EscrowEvent, EscrowFields } from '../../../src/kernel/escrow-event.ts'
import type { TestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import type { SimulatedEscrow } from './escrows.ts'

/** What the logs of a chain say about an escrow up to a block, without the service. */
export type EscrowFacts = {
  /** Sums of the token that came in, that the recipient got, and that donors got back. */
  received: bigint
  released: bigint
  refunded: bigint
  /** Positions of released milestones, in rising order. */
  milestones: number[]
  failed: EscrowFields['Failed'] | undefined
  /** Sums by donor: recorded gifts, plain transfers before the failure, and after it. */
  recorded: Map<string, bigint>
  plain: Map<string, bigint>
  late: Map<string, bigint>
  /** Refunds by donor, recorded and by a root. */
  paid: { recorded: Map<string, bigint>; byRoot: Map<string, bigint> }
}

type Log = {
  address: string
  topics: string[]
  data: string
  transactionHash: string
  blockNumber: string
  logIndex: string
}

const TRANSFER = id('Transfer(address,address,uint256)')
const addressIn = (topic: string | undefined): string => `0x${(topic ?? '').slice(-40)}`

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}
export const sumOf = (sums: ReadonlyMap<string, bigint>): bigint =>
  [...sums.values()].reduce((sum, amount) => sum + amount, 0n)

export const readFacts = async (
  chain: TestChain,
  { account }: Pick<SimulatedEscrow, 'account'>,
  block: number,
): Promise<EscrowFacts> => {
  const range = { fromBlock: '0x0', toBlock: `0x${block.toString(16)}` }
  const to = `0x${account.slice(2).padStart(64, '0')}`
  const [incoming, own] = await Promise.all([
    chain.call<Log[]>('eth_getLogs', [{ ...range, address: TOKEN, topics: [TRANSFER, null, to] }]),
    chain.call<Log[]>('eth_getLogs', [{ ...range, address: account }]),
  ])
  const logs = [...incoming, ...own].sort(
    (a, b) =>
      Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
  )
  const facts: EscrowFacts = {
    received: 0n,
    released: 0n,
    refunded: 0n,
    milestones: [],
    failed: undefined,
    recorded: new Map(),
    plain: new Map(),
    late: new Map(),
    paid: { recorded: new Map(), byRoot: new Map() },
  }
  for (const log of logs) {
    if (log.address === TOKEN) {
      facts.received += BigInt(log.data)
      add(facts.failed ? facts.late : facts.plain, addressIn(log.topics[1]), BigInt(log.data))
      continue
    }
    const event = readEscrowEvent(log)
    if (event) apply(facts, event)
  }
  facts.milestones.sort((a, b) => a - b)
  return facts
}

const apply = (facts: EscrowFacts, { kind, fields }: EscrowEvent): void => {
  switch (kind) {
    case 'Donated':
      // The transfer of the same call came just before this event, as if it were plain.
      add(facts.plain, fields.payer, -BigInt(fields.amount))
      add(facts.recorded, fields.donor, BigInt(fields.amount))
      return
    case 'MilestoneReleased':
      facts.released += BigInt(fields.amount)
      facts.milestones.push(fields.milestone)
      return
    case 'SurplusReleased':
      facts.released += BigInt(fields.amount)
      return
    case 'Failed':
      facts.failed = fields
      return
    case 'Refunded': {
      if (fields.asset !== TOKEN) return
      facts.refunded += BigInt(fields.amount)
      const { recorded, byRoot } = facts.paid
      add(fields.recorded ? recorded : byRoot, fields.donor, BigInt(fields.amount))
    }
  }
}

/** A donor's share of the pool, rounded down. */
export const shareOf = ({ failed }: EscrowFacts, amount: bigint): bigint => {
  const total = BigInt(failed?.total ?? 0)
  return total === 0n ? 0n : (amount * BigInt(failed?.pool ?? 0)) / total
}

/** What donors of plain transfers may claim of the token in all, for those who may claim any. */
export const claimsOf = (facts: EscrowFacts): Map<string, bigint> => {
  const claims = new Map<string, bigint>()
  if (!facts.failed) return claims
  for (const [donor, amount] of facts.plain) add(claims, donor, shareOf(facts, amount))
  for (const [donor, amount] of facts.late) add(claims, donor, amount)
  return new Map([...claims].filter(([, amount]) => amount > 0n))
}
