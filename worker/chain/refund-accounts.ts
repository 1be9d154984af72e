import { donorProbe, isDonorAccount } from '../../src/chain/escrow/wallet-probe.ts'
import { type ChainClient, ChainError } from '../../src/chain/index.ts'
import type { DueRoot, PlainPayment } from '../../src/domain/escrow/refund/index.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

type Source = Pick<ChainClient, 'callAt' | 'transactionsByHash' | 'blocks'>

/**
 * Finds the account of each payment. It is the sender or, if the sender is a contract that cannot
 * sign, the signer of the transaction. Orders the payments in the block of the failure.
 *
 * @throws ChainError if no quorum knows the state at the block or a transaction, or if an answer is
 * of another form
 */
export const refundAccounts = async (
  source: Source,
  { block, payments, failure }: Pick<DueRoot, 'block' | 'payments' | 'failure'>,
): Promise<PlainPayment[]> => {
  const senders = [...new Set(payments.map(({ sender }) => sender))]
  const probes = senders.map((sender) => ({ data: donorProbe(sender) }))
  const results = probes.length === 0 ? [] : await source.callAt(block, probes)
  const answers = results.map(isDonorAccount)
  if (answers.includes(null)) {
    throw new ChainError('bad_response', 'The probe of an account gave no answer.')
  }
  const donors = new Set(
    senders.filter((sender, index) => sender !== ZERO_ADDRESS && answers[index]),
  )
  const foreign = payments.filter(({ sender }) => !donors.has(sender))
  const signers = await signersOf(source, [...new Set(foreign.map(({ txHash }) => txHash))])
  const accountOf = ({ sender, txHash }: DueRoot['payments'][number]): string => {
    const account = donors.has(sender) ? sender : signers.get(txHash)
    if (account === undefined) {
      throw new ChainError('block_missing', `No node knows the signer of ${txHash}.`)
    }
    return account
  }
  const placed = payments.map((payment) => ({ ...payment, account: accountOf(payment) }))
  return failure === null ? placed : inOrder(source, placed, failure)
}

const signersOf = async (
  source: Source,
  hashes: readonly string[],
): Promise<Map<string, string>> => {
  if (hashes.length === 0) return new Map()
  const found = await source.transactionsByHash(hashes)
  return new Map(found.flatMap((one) => (one ? [[one.hash, one.from] as const] : [])))
}

/** Adds the index in its block to each payment of the block in which the escrow failed. */
const inOrder = async (
  source: Source,
  payments: PlainPayment[],
  failure: NonNullable<DueRoot['failure']>,
): Promise<PlainPayment[]> => {
  const { blockNumber } = failure
  const isNear = (one: PlainPayment) =>
    one.blockNumber === blockNumber && one.txHash !== failure.txHash
  if (!payments.some(isNear)) return payments
  const [block] = await source.blocks(blockNumber, blockNumber)
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
