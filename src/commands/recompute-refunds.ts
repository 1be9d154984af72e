import { refundAccounts } from '../../worker/chain/refund-accounts.ts'
import { escrowAddress } from '../chain/escrow/address.ts'
import { readEscrowEvent } from '../chain/escrow/events.ts'
import { type EscrowTerms, unpackTerms } from '../chain/escrow/terms.ts'
import { addressTopic, readTransferLog, TRANSFER_TOPIC } from '../chain/payments/erc20.ts'
import type { RefundLeaf } from '../db/schema/escrow.ts'
import {
  type Donated,
  type Failure,
  type Payment,
  plainPayments,
  refundLeaves,
} from '../domain/escrow/refund/index.ts'
import { type EscrowEvent, type EscrowFields, NATIVE_ASSET } from '../kernel/escrow-event.ts'
import { member, type NodeLog, type OneNode, quantity, Refused, Unchecked } from './one-node.ts'

/** The events of an escrow in the order of the chain, with their places. */
export type ChainEvent = EscrowEvent & { log: NodeLog }
export type Proposal = EscrowFields['RootProposed']

type Block = { number: number; hash: string }

/** keccak('terms()'), its first four bytes. */
const TERMS_SELECTOR = '0xd5025625'

/**
 * Reads the terms of an escrow and checks that its address commits to them.
 *
 * @throws Unchecked if the address has no code, or is no escrow of this version's factory
 */
export const readTerms = async (node: OneNode, escrow: string): Promise<EscrowTerms> => {
  const answer = await node
    .call('eth_call', [{ to: escrow, data: TERMS_SELECTOR }, 'latest'])
    .catch((error: unknown) => {
      if (error instanceof Refused) return '0x'
      throw error
    })
  const words = String(answer).slice(2)
  const length = Number(`0x${words.slice(64, 128) || '0'}`)
  const packed = `0x${words.slice(128, 128 + 2 * length)}` as const
  if (length === 0 || escrowAddress(packed) !== escrow) {
    throw new Unchecked(
      `${escrow} is not a deployed escrow of the factory that this version knows.`,
    )
  }
  return unpackTerms(packed)
}

/** All events of an escrow up to a block. */
export const readEvents = async (
  node: OneNode,
  escrow: string,
  range: { from: number; to: number },
): Promise<ChainEvent[]> =>
  (await node.logs({ ...range, address: escrow })).flatMap((log) => {
    const event = readEscrowEvent(log)
    return event ? [{ ...event, log }] : []
  })

type Question = {
  escrow: string
  asset: string
  /** The other assets to count, without the native coin. */
  assets: readonly string[]
  events: readonly ChainEvent[]
  block: Block
  fromBlock: number
  /** Transactions that paid the escrow in the native coin, because no log shows them. */
  nativeTransactions: readonly string[]
}

export type Recomputed = { leaves: RefundLeaf[]; notes: string[] }

/** Computes the leaves up to a block from the logs of a node. `notes` say what it did not check. */
export const recomputeRefunds = async (node: OneNode, question: Question): Promise<Recomputed> => {
  const { asset, block } = question
  const events = question.events.filter(({ log }) => log.blockNumber <= block.number)
  const notes: string[] = []
  const payments = [
    ...(await readPayments(node, question)),
    ...(await readNativePayments(node, question, events, notes)),
  ]
  const plain = plainPayments(payments, events.flatMap(toDonated), asset)
  // The logs have the index of their transaction, so no block must be read for the order.
  const source = sourceOf(node, notes)
  const named = await refundAccounts(source, { block, payments: plain, failure: null })
  const [failure = null] = events.flatMap(toFailure)
  return { leaves: refundLeaves(named, { asset, failure }), notes }
}

const readPayments = async (
  node: OneNode,
  { escrow, asset, assets, block, fromBlock }: Question,
): Promise<Payment[]> => {
  const logs = await node.logs({
    from: fromBlock,
    to: block.number,
    address: [...new Set([asset, ...assets])],
    topics: [TRANSFER_TOPIC, null, addressTopic(escrow)],
  })
  return logs.flatMap((log) => {
    const transfer = readTransferLog(log)
    if (!transfer || transfer.sender === transfer.recipient) return []
    const { sender, amount } = transfer
    return [{ ...placeOf(log), asset: log.address, sender, amount }]
  })
}

/** Checks payments of a transaction's own value. The balance shows whether one is missing. */
const readNativePayments = async (
  node: OneNode,
  { escrow, block, nativeTransactions }: Question,
  events: readonly ChainEvent[],
  notes: string[],
): Promise<Payment[]> => {
  const payments: Payment[] = []
  for (const txHash of new Set(nativeTransactions)) {
    const [transaction, receipt] = await Promise.all([
      node.call('eth_getTransactionByHash', [txHash]),
      node.call('eth_getTransactionReceipt', [txHash]),
    ])
    const isPayment =
      String(member(transaction, 'to')).toLowerCase() === escrow &&
      member(receipt, 'status') === '0x1' &&
      Number(member(receipt, 'blockNumber')) <= block.number
    if (!isPayment) {
      notes.push(`${txHash} is no direct payment of the native coin to the escrow.`)
      continue
    }
    payments.push({
      blockNumber: Number(member(receipt, 'blockNumber')),
      transaction: Number(member(receipt, 'transactionIndex')),
      txHash,
      log: -1,
      asset: NATIVE_ASSET,
      sender: String(member(transaction, 'from')).toLowerCase(),
      amount: BigInt(String(member(transaction, 'value'))),
    })
  }
  const paidBack = events.reduce(
    (sum, { kind, fields }) =>
      kind === 'Refunded' && fields.asset === NATIVE_ASSET ? sum + BigInt(fields.amount) : sum,
    0n,
  )
  const balance = await atBlock(block, notes, (at) => node.call('eth_getBalance', [escrow, at]))
  const listed = payments.reduce((sum, { amount }) => sum + amount, 0n)
  if (listed !== BigInt(String(balance)) + paidBack) {
    notes.push('The listed payments of the native coin are not all that the escrow got.')
  }
  return payments
}

/** Asks at a block or, if the node has no state of this block, at the newest block. */
const atBlock = async <T>(
  { hash }: Pick<Block, 'hash'>,
  notes: string[],
  ask: (at: unknown) => Promise<T>,
): Promise<T> => {
  try {
    return await ask({ blockHash: hash })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const note = 'The node has no state of the block, so accounts were read at the newest block.'
    if (!notes.includes(note)) notes.push(note)
    return ask('latest')
  }
}

const sourceOf = (node: OneNode, notes: string[]): Parameters<typeof refundAccounts>[0] => ({
  callAt: (block, calls) =>
    Promise.all(
      calls.map(async (call) =>
        String(await atBlock(block, notes, (at) => node.call('eth_call', [call, at]))),
      ),
    ),
  transactionsByHash: (hashes) =>
    Promise.all(
      hashes.map(async (hash) => {
        const found = await node.call('eth_getTransactionByHash', [hash])
        const from = String(member(found, 'from')).toLowerCase()
        return found === null ? null : { hash, from, nonce: null }
      }),
    ),
  blocks: async () => [],
})

const toDonated = ({ kind, fields, log }: ChainEvent): Donated[] =>
  kind === 'Donated'
    ? [{ ...placeOf(log), payer: fields.payer, amount: BigInt(fields.amount) }]
    : []

const toFailure = ({ kind, fields, log }: ChainEvent): Failure[] =>
  kind === 'Failed'
    ? [{ ...placeOf(log), pool: BigInt(fields.pool), total: BigInt(fields.total) }]
    : []

const placeOf = ({ blockNumber, transaction, index, txHash }: NodeLog) => ({
  ...{ blockNumber, transaction, txHash },
  log: index,
})

/**
 * Finds a block by hash.
 *
 * @throws Unchecked if the node has no block of the chain with this hash
 */
export const readBlock = async (node: OneNode, hash: string): Promise<Block> => {
  const block = await node.call('eth_getBlockByHash', [hash, false])
  const number = Number(member(block, 'number') ?? Number.NaN)
  if (Number.isSafeInteger(number)) {
    const canonical = await node.call('eth_getBlockByNumber', [quantity(number), false])
    if (String(member(canonical, 'hash')).toLowerCase() === hash) return { number, hash }
  }
  throw new Unchecked(`${node.host} has no block ${hash} in its chain.`)
}
