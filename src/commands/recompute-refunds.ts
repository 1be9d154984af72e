import { refundAccounts } from '../../worker/chain/refund-accounts.ts'
import { escrowAddress } from '../chain/escrow/address.ts'
import { readEscrowEvent } from '../chain/escrow/events.ts'
import { type EscrowTerms, unpackTerms } from '../chain/escrow/terms.ts'
import { addressTopic, readTransferLog, TRANSFER_TOPIC } from '../chain/payments/erc20.ts'
import { NATIVE_LOG_ADDRESS } from '../chain/payments/native-log.ts'
import { inBatches } from '../chain/rpc/in-batches.ts'
import { readArray, readHash, readObject } from '../chain/rpc/read.ts'
import type { RefundLeaf } from '../db/schema/escrow.ts'
import {
  type Donated,
  endOf,
  type Failure,
  type Payment,
  plainPayments,
  refundLeaves,
} from '../domain/escrow/refund/index.ts'
import { type EscrowEvent, type EscrowFields, NATIVE_ASSET } from '../kernel/escrow-event.ts'
import { NATIVE_POSITION } from '../kernel/formats/log-position.ts'
import { member, type NodeLog, type OneNode, quantity, Refused, Unchecked } from './one-node.ts'

/** The events of an escrow in the order of the chain, with their places. */
export type ChainEvent = EscrowEvent & { log: NodeLog }
export type Proposal = EscrowFields['RootProposed']

type Block = { number: number; hash: string }

/** keccak('terms()'), its first four bytes. */
const TERMS_SELECTOR = '0xd5025625'
/** At most this many tokens or differences are named. */
export const MAX_SHOWN = 10
/** How many accounts are asked for at the same time. */
const AT_ONCE = 10

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
  /** The number of milestones. */
  milestones: number
  /** The other assets to count, without the native coin. */
  assets: readonly string[]
  events: readonly ChainEvent[]
  block: Block
  fromBlock: number
  /** Transactions that paid the escrow in the native coin, because most chains do not log them. */
  nativeTransactions: readonly string[]
}

export type Recomputed = {
  leaves: RefundLeaf[]
  /** What the escrow got in the native coin beyond the named transactions, in wei. */
  unlisted: bigint
  notes: string[]
}

/** Computes the leaves up to a block from a node. `notes` name payments that are not counted. */
export const recomputeRefunds = async (node: OneNode, question: Question): Promise<Recomputed> => {
  const { asset, block, milestones } = question
  const events = question.events.filter(({ log }) => log.blockNumber <= block.number)
  const tokens = await readPayments(node, question)
  const native = await readNativePayments(node, question)
  const paid = [...tokens.counted, ...native]
  const plain = plainPayments(paid, events.flatMap(toDonated), asset)
  const releases = events.filter(({ kind }) => kind === 'MilestoneReleased').map(placeOf)
  const [failure = null] = events.flatMap(toFailure)
  const end = endOf(releases, milestones, failure)
  // The logs have the index of their transaction, so no block must be read for the order.
  const placed = await refundAccounts(sourceOf(node), { payments: plain, end, failure: null })
  const unlisted = await unlistedCoin(node, { ...question, events }, native)
  const moreTokens = tokens.others.length - MAX_SHOWN
  const notes = [
    ...(end ? [] : ['The escrow had not ended at the last block.']),
    ...(unlisted === 0n
      ? []
      : [
          `The escrow got ${unlisted} wei that are not counted: from calls of contracts, or from ` +
            'transactions that the file does not name.',
        ]),
    ...tokens.others
      .slice(0, MAX_SHOWN)
      .map((token) => `The token ${token} paid the escrow, and is not counted.`),
    ...(moreTokens > 0 ? [`${moreTokens} more tokens paid the escrow, and are not counted.`] : []),
  ]
  return { leaves: refundLeaves(placed, { asset, failure }), unlisted, notes }
}

/** All payments in counted tokens, and the other tokens that paid the escrow. */
const readPayments = async (
  node: OneNode,
  { escrow, asset, assets, block, fromBlock }: Question,
): Promise<{ counted: Payment[]; others: string[] }> => {
  const logs = await node.logs({
    from: fromBlock,
    to: block.number,
    topics: [TRANSFER_TOPIC, null, addressTopic(escrow)],
  })
  const payments = logs.flatMap((log): Payment[] => {
    const transfer = readTransferLog(log)
    if (!transfer || transfer.sender === transfer.recipient) return []
    const { sender, amount } = transfer
    return [{ ...placeOf({ log }), asset: log.address, sender, amount }]
  })
  const tokens = new Set([asset, ...assets])
  const paying = new Set(payments.map((payment) => payment.asset))
  return {
    counted: payments.filter((payment) => tokens.has(payment.asset)),
    // On a chain that logs payments of its coin, their sum is in `unlisted`.
    others: [...paying].filter((token) => !tokens.has(token) && token !== NATIVE_LOG_ADDRESS),
  }
}

/** Reads payments of a transaction's own value. Leaves out other transactions. */
const readNativePayments = async (
  node: OneNode,
  { escrow, block, nativeTransactions }: Question,
): Promise<Payment[]> => {
  const payments: Payment[] = []
  for (const txHash of new Set(nativeTransactions)) {
    const [transaction, receipt] = await Promise.all([
      node.call('eth_getTransactionByHash', [txHash]),
      node.call('eth_getTransactionReceipt', [txHash]),
    ])
    if (!transaction || !receipt) throw new Unchecked(`${node.host} does not know ${txHash}.`)
    const isPayment =
      String(member(transaction, 'to')).toLowerCase() === escrow &&
      member(receipt, 'status') === '0x1' &&
      Number(member(receipt, 'blockNumber')) <= block.number
    if (!isPayment) continue
    payments.push({
      blockNumber: Number(member(receipt, 'blockNumber')),
      blockHash: String(member(receipt, 'blockHash')).toLowerCase(),
      transaction: Number(member(receipt, 'transactionIndex')),
      txHash,
      log: NATIVE_POSITION,
      asset: NATIVE_ASSET,
      sender: String(member(transaction, 'from')).toLowerCase(),
      amount: BigInt(String(member(transaction, 'value'))),
    })
  }
  return payments
}

/** What the escrow got in the native coin beyond these payments. */
const unlistedCoin = async (
  node: OneNode,
  { escrow, block, events }: Question,
  payments: readonly Payment[],
): Promise<bigint> => {
  const balance = await node.call('eth_getBalance', [escrow, { blockHash: block.hash }])
  const paidBack = events.flatMap(({ kind, fields }) =>
    kind === 'Refunded' && fields.asset === NATIVE_ASSET ? [BigInt(fields.amount)] : [],
  )
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)
  return BigInt(String(balance)) + sum(paidBack) - sum(payments.map(({ amount }) => amount))
}

/** The node is trusted, so its transactions count as proven. */
const sourceOf = (node: OneNode): Parameters<typeof refundAccounts>[0] => ({
  probeAt: ({ hash }, calls) =>
    inBatches(
      calls,
      (batch) =>
        Promise.all(
          batch.map(async (call) =>
            String(await node.call('eth_call', [call, { blockHash: hash }])),
          ),
        ),
      AT_ONCE,
    ),
  blocksByHash: (hashes) =>
    Promise.all(
      hashes.map(async (hash) => {
        const block = readObject(await node.call('eth_getBlockByHash', [hash, true]), 'block')
        const transactions = readArray(block.transactions, 'transactions').map((one) => {
          const raw = readObject(one, 'transaction')
          return { hash: readHash(raw.hash, 'transaction hash'), to: null, value: 0n, raw }
        })
        return {
          number: Number(block.number),
          ...{ hash, proof: 'transactions-root' as const, transactions },
        }
      }),
    ),
  receipts: async () => new Map(),
})

const toDonated = ({ kind, fields, log }: ChainEvent): Donated[] =>
  kind === 'Donated'
    ? [{ ...placeOf({ log }), payer: fields.payer, amount: BigInt(fields.amount) }]
    : []

const toFailure = ({ kind, fields, log }: ChainEvent): Failure[] =>
  kind === 'Failed'
    ? [{ ...placeOf({ log }), pool: BigInt(fields.pool), total: BigInt(fields.total) }]
    : []

const placeOf = ({ log }: { log: NodeLog }) => {
  const { blockNumber, blockHash, transaction, txHash, index } = log
  return { ...{ blockNumber, blockHash, transaction, txHash }, log: index }
}

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
