import { donorProbe, isDonorAccount } from '../../src/chain/escrow/wallet-probe.ts'
import {
  type Block,
  type ChainClient,
  ChainError,
  type Hash,
  hasSender,
  type Receipt,
  signerIn,
} from '../../src/chain/index.ts'
import { inBatches } from '../../src/chain/rpc/in-batches.ts'
import type { DueRoot, Payment, PlainPayment } from '../../src/domain/escrow/refund/index.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** A block comes with all its transactions. */
const BLOCKS_PER_BATCH = 10

type PaidBlock = Pick<Block, 'number' | 'hash' | 'proof' | 'transactions'>

type Source<T extends PaidBlock> = Pick<ChainClient, 'probeAt'> & {
  blocksByHash(hashes: readonly Hash[]): Promise<T[]>
  /** Is asked only about blocks that do not prove their transactions. */
  receipts(blocks: readonly T[]): Promise<Map<Hash, Pick<Receipt, 'txHash' | 'type'>[]>>
}

/**
 * Finds the account of each payment. It is the sender or, if the sender is a contract that cannot
 * sign, the signer of the transaction. The end of the escrow or, for a later payment, its own block
 * gives the state that decides, so that all roots name the same account. Leaves out payments of the
 * zero address without a signer, and all payments of an escrow that has not ended. Orders the
 * payments in the block of the failure.
 *
 * @throws ChainError if no quorum knows the state at such a block, if no node has the block of a
 * payment, or if an answer is of another form
 */
export const refundAccounts = async <T extends PaidBlock>(
  source: Source<T>,
  { payments, end, failure }: Pick<DueRoot, 'payments' | 'end' | 'failure'>,
): Promise<PlainPayment[]> => {
  if (end === null) return []
  const placed: PlainPayment[] = []
  const foreign: Payment[] = []
  const groups = Map.groupBy(payments, (one) => Math.max(one.blockNumber, end.blockNumber))
  for (const [number, group] of groups) {
    const { blockHash: hash } = group.find((one) => one.blockNumber === number) ?? end
    const donors = await donorsAmong(source, { hash, number }, group)
    for (const payment of group) {
      if (donors.has(payment.sender)) placed.push({ ...payment, account: payment.sender })
      else foreign.push(payment)
    }
  }
  placed.push(...(await bySigner(source, foreign)))
  return failure === null ? placed : inOrder(source, placed, failure)
}

/** The senders that can be donors. A sender about which the nodes disagree cannot. */
const donorsAmong = async (
  source: Pick<ChainClient, 'probeAt'>,
  block: { hash: Hash; number: number },
  payments: readonly Payment[],
): Promise<Set<string>> => {
  const senders = [...new Set(payments.map(({ sender }) => sender))]
  const probes = senders.map((sender) => ({ data: donorProbe(sender) }))
  const answers = (await source.probeAt(block, probes)).map((result) =>
    result === undefined ? false : isDonorAccount(result),
  )
  if (answers.includes(null)) {
    throw new ChainError('bad_response', 'The probe of an account gave no answer.')
  }
  return new Set(senders.filter((sender, index) => sender !== ZERO_ADDRESS && answers[index]))
}

/** Gives payments to the signers of their transactions, or to their senders if there is none. */
const bySigner = <T extends PaidBlock>(
  source: Source<T>,
  payments: readonly Payment[],
): Promise<PlainPayment[]> => {
  const groups = [...Map.groupBy(payments, ({ blockHash }) => blockHash)]
  const place = async (batch: typeof groups): Promise<PlainPayment[]> => {
    const blocks = await source.blocksByHash(batch.map(([hash]) => hash))
    const placed = blocks.map(async (block, index) => {
      const paid = batch[index]?.[1] ?? []
      const signers = await signersOf(source, block, new Set(paid.map(({ txHash }) => txHash)))
      return paid
        .map((payment) => ({ ...payment, account: signers.get(payment.txHash) ?? payment.sender }))
        .filter(({ account }) => account !== ZERO_ADDRESS)
    })
    return (await Promise.all(placed)).flat()
  }
  return inBatches(groups, place, BLOCKS_PER_BATCH)
}

/**
 * The signers of transactions of a block, null for a type without a signer. If the block does not
 * prove its transactions, a node could lie about the type, so the type of the receipt decides.
 */
const signersOf = async <T extends PaidBlock>(
  source: Source<T>,
  block: T,
  txHashes: ReadonlySet<Hash>,
): Promise<Map<Hash, string | null>> => {
  const signers = new Map([...txHashes].map((hash) => [hash, signerIn(block, hash)]))
  const unsigned = [...txHashes].filter((hash) => signers.get(hash) === null)
  if (block.proof === 'transactions-root' || unsigned.length === 0) return signers
  const receipts = (await source.receipts([block])).get(block.hash) ?? []
  for (const hash of unsigned) {
    const type = receipts.find(({ txHash }) => txHash === hash)?.type
    if (type === undefined || hasSender(type)) {
      throw new ChainError('transactions_unverified', `The signer of ${hash} is not proven.`)
    }
  }
  return signers
}

/** Adds the index in its block to each payment of the block in which the escrow failed. */
const inOrder = async <T extends PaidBlock>(
  source: Source<T>,
  payments: PlainPayment[],
  failure: NonNullable<DueRoot['failure']>,
): Promise<PlainPayment[]> => {
  const { blockNumber, blockHash } = failure
  const isNear = (one: PlainPayment) =>
    one.blockNumber === blockNumber && one.txHash !== failure.txHash
  if (!payments.some(isNear)) return payments
  const [block] = await source.blocksByHash([blockHash])
  const indexOf = (txHash: string): number => {
    const index = block?.transactions.findIndex(({ hash }) => hash === txHash) ?? -1
    if (index < 0) throw new ChainError('block_missing', `Block ${blockNumber} lacks ${txHash}.`)
    return index
  }
  const failedAt = indexOf(failure.txHash)
  // The place of the failure has index 0, so the indexes here are relative to it.
  return payments.map((payment) =>
    isNear(payment) ? { ...payment, transaction: indexOf(payment.txHash) - failedAt } : payment,
  )
}
