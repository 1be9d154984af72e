import { id } from 'ethers'
import { readEscrowEvent } from '../../../src/escrow/events.ts'
import type { EscrowEvent, EscrowFields } from '../../../src/kernel/escrow-event.ts'
import { NATIVE_ASSET } from '../../../src/kernel/escrow-event.ts'
import { NATIVE_POSITION } from '../../../src/kernel/formats/log-position.ts'
import type { TestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { EURC } from '../chain.ts'
import type { Simulation } from '../world.ts'
import type { SimulatedEscrow } from './escrows.ts'

/** A transfer to an escrow. A transfer of the native coin has the asset NATIVE_ASSET. */
export type FoundTransfer = {
  transaction: string
  position: number
  asset: string
  sender: string
  amount: bigint
  blockNumber: number
  /** Whether the contract recorded the transfer as a donation. */
  recorded: boolean
}

/** The facts about an escrow in the logs of the chain up to a block, read without the service. */
export type EscrowFacts = {
  /** The received, released and refunded amounts of the escrow's token. */
  received: bigint
  released: bigint
  refunded: bigint
  /** The indexes of released milestones, in rising order. */
  milestones: number[]
  failed: (EscrowFields['Failed'] & { blockNumber: number }) | undefined
  isDone: boolean
  /** The transfers of both tokens, in their order. */
  transfers: FoundTransfer[]
  /** The sums of recorded donations, and of their refunds, by donor. */
  recorded: Map<string, bigint>
  refunds: Map<string, bigint>
  /** The returns of transfers, by `nameOf`. */
  returned: Map<string, EscrowFields['TransferReturned']>
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

export const nameOf = ({
  transaction,
  position,
}: {
  transaction: string
  position: number | null
}): string => `${transaction} ${position}`

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

export const readFacts = async (
  chain: TestChain,
  { account, terms }: Pick<SimulatedEscrow, 'account' | 'terms'>,
  block: number,
): Promise<EscrowFacts> => {
  const range = { fromBlock: '0x0', toBlock: `0x${block.toString(16)}` }
  const logs = await chain.call<Log[]>('eth_getLogs', [range])
  const facts: EscrowFacts = {
    received: 0n,
    released: 0n,
    refunded: 0n,
    milestones: [],
    failed: undefined,
    isDone: false,
    transfers: [],
    recorded: new Map(),
    refunds: new Map(),
    returned: new Map(),
  }
  const first = new Map<string, number>()
  for (const log of logs) {
    const { address, topics, data, transactionHash: transaction } = log
    const blockNumber = Number(log.blockNumber)
    const index = Number(log.logIndex)
    if (!first.has(transaction)) first.set(transaction, index)
    const position = index - (first.get(transaction) ?? 0)
    if (address === account) {
      const event = readEscrowEvent(log)
      if (event) apply(facts, event, { transaction, blockNumber })
    } else if (topics[0] === TRANSFER && addressIn(topics[2]) === account) {
      if (address !== TOKEN && address !== EURC) continue
      const amount = BigInt(data)
      const sender = addressIn(topics[1])
      const place = { transaction, position, blockNumber }
      facts.transfers.push({ ...place, asset: address, sender, amount, recorded: false })
      if (address === TOKEN) facts.received += amount
    }
  }
  facts.milestones.sort((a, b) => a - b)
  facts.isDone = facts.milestones.length === terms.milestones.length
  return facts
}

const apply = (
  facts: EscrowFacts,
  { kind, fields }: EscrowEvent,
  { transaction, blockNumber }: { transaction: string; blockNumber: number },
): void => {
  switch (kind) {
    case 'Donated': {
      // The call that emitted this event made its transfer just before.
      const paid = facts.transfers.findLast(
        ({ asset, sender }) => asset === TOKEN && sender === fields.payer,
      )
      if (paid?.transaction !== transaction) throw new Error('A donation has no transfer.')
      paid.recorded = true
      add(facts.recorded, fields.donor, BigInt(fields.amount))
      return
    }
    case 'MilestoneReleased':
      facts.released += BigInt(fields.amount)
      facts.milestones.push(fields.milestone)
      return
    case 'SurplusReleased':
      facts.released += BigInt(fields.amount)
      return
    case 'Failed':
      facts.failed = { ...fields, blockNumber }
      return
    case 'Refunded':
      facts.refunded += BigInt(fields.amount)
      add(facts.refunds, fields.donor, BigInt(fields.amount))
      return
    case 'TransferReturned':
      if (fields.asset === TOKEN) facts.refunded += BigInt(fields.amount)
      facts.returned.set(nameOf(fields), fields)
  }
}

/** The payments to an escrow in the native coin up to a block. */
export const readEther = async (
  { chain, donors, campaigns }: Simulation,
  { account }: Pick<SimulatedEscrow, 'account'>,
  block: number,
): Promise<FoundTransfer[]> => {
  const found: FoundTransfer[] = []
  for (const { hash, from, campaign, asset, amount } of donors.signed.values()) {
    if (asset !== 'ETH' || campaigns[campaign ?? -1]?.account !== account) continue
    const receipt = await chain.call<{ status: string; blockNumber: string } | null>(
      'eth_getTransactionReceipt',
      [hash],
    )
    const blockNumber = Number(receipt?.blockNumber)
    if (receipt?.status !== '0x1' || blockNumber > block) continue
    found.push({
      ...{ transaction: hash, position: NATIVE_POSITION, asset: NATIVE_ASSET },
      ...{ sender: from, amount, blockNumber, recorded: false },
    })
  }
  return found
}

/** A donor's share of the pool, rounded down. */
export const shareOf = ({ failed }: Pick<EscrowFacts, 'failed'>, amount: bigint): bigint => {
  const total = BigInt(failed?.total ?? 0)
  return total === 0n ? 0n : (amount * BigInt(failed?.pool ?? 0)) / total
}

/**
 * The amount of a transfer that can be returned, or null if it cannot be returned now. A transfer
 * in the block of the failure counts as an earlier one.
 */
export const dueOf = (
  facts: Pick<EscrowFacts, 'failed' | 'isDone'>,
  { asset, amount, blockNumber, recorded }: FoundTransfer,
): bigint | null => {
  const { failed, isDone } = facts
  if (recorded || (!failed && !isDone)) return null
  if (asset !== TOKEN) return amount
  if (!failed) return null
  return blockNumber > failed.blockNumber ? amount : shareOf(facts, amount)
}
