import { donorProbe, isDonorAccount } from '../../src/chain/escrow/wallet-probe.ts'
import {
  type Block,
  type ChainClient,
  ChainError,
  type Hash,
  signerIn,
} from '../../src/chain/index.ts'
import { inBatches } from '../../src/chain/rpc/in-batches.ts'
import type { DueRoot, Payment, PlainPayment } from '../../src/domain/escrow/refund/index.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** A block comes with all its transactions. */
const BLOCKS_PER_BATCH = 10

type Source = Pick<ChainClient, 'probeAt'> & {
  blocksByHash(hashes: readonly Hash[]): Promise<Pick<Block, 'number' | 'proof' | 'transactions'>[]>
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
export const refundAccounts = async (
  source: Source,
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
  source: Source,
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
const bySigner = (source: Source, payments: readonly Payment[]): Promise<PlainPayment[]> => {
  const groups = [...Map.groupBy(payments, ({ blockHash }) => blockHash)]
  const place = async (batch: typeof groups): Promise<PlainPayment[]> => {
    const blocks = await source.blocksByHash(batch.map(([hash]) => hash))
    return blocks.flatMap((block, index) => {
      const paid = batch[index]?.[1] ?? []
      const hashes = [...new Set(paid.map(({ txHash }) => txHash))]
      const signers = new Map(hashes.map((hash) => [hash, signerIn(block, hash)]))
      return paid
        .map((payment) => ({ ...payment, account: signers.get(payment.txHash) ?? payment.sender }))
        .filter(({ account }) => account !== ZERO_ADDRESS)
    })
  }
  return inBatches(groups, place, BLOCKS_PER_BATCH)
}

/** Adds the index in its block to each payment of the block in which the escrow failed. */
const inOrder = async (
  source: Source,
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
