import { EMPTY_ROOT } from '../../verifier/trie.ts'
import { ChainError } from '../errors.ts'
import { readAddress, readBigInt, readHash, readObject } from '../rpc/read.ts'
import type { Block, ChainTransaction, Header, Proof } from '../types.ts'
import { toHex } from './keccak.ts'
import { orderedTrieRoot } from './ordered-trie.ts'
import { stateSyncHash } from './state-sync.ts'
import type { ProofTools } from './tools.ts'
import { isEncodable, isHashed, isPayment, isUnsigned, writeTransaction } from './transaction.ts'

/**
 * A transaction uses at least this gas. It costs at least 21 000 gas, and before the London
 * upgrade, a refund could return half of the cost (EIP-3529). Since London, refunds are smaller.
 */
const LEAST_GAS = 10_500
/** On rollups and sidechains, a block has at most this number of transactions that use no gas. */
const MOST_WITHOUT_GAS = 128

/**
 * Adds transactions to a proven header and proves them: each encoding must hash to its
 * transaction's hash, and all encodings must rebuild transactionsRoot. First rejects a list that is
 * too long for the used gas. `proof` is only `receipts-root` (see `Proof`) if the list has:
 *
 * - only hashes
 * - a transaction of a type that this version cannot encode
 * - a transaction without a signature (an impersonated sender on a development chain)
 *
 * @throws ChainError `transactions_forged` if the list contradicts the header or its own hashes,
 *   `bad_response` if the list is malformed
 */
export const proveTransactions = (
  header: Header,
  list: readonly unknown[],
  { writer, keccak }: ProofTools,
): Block => {
  if (list.length > header.gasUsed / LEAST_GAS + MOST_WITHOUT_GAS) throw forged(header, 'gas')
  const transactions = list.map(readTransaction)
  const last = transactions.at(-1)
  if (last && last.hash === stateSyncHash(header, keccak)) transactions.pop()
  const raws = transactions.map((transaction) => transaction.raw)
  if (!raws.every((raw) => raw !== null && isEncodable(raw)))
    return { ...header, transactions, proof: 'receipts-root' }

  writer.rewind(0)
  let root = EMPTY_ROOT
  let unsigned = false
  if (raws.length > 0) {
    const bytes = orderedTrieRoot(raws.length, writer, keccak, (index) => {
      const mark = writer.mark()
      const transaction = transactions[index]
      if (!transaction?.raw) throw new RangeError('No such transaction.')
      writeTransaction(writer, transaction.raw)
      if (!isHashed(transaction.raw)) return
      if (toHex(keccak(writer.view(mark))) === transaction.hash) return
      if (!isUnsigned(transaction.raw)) throw forged(header, 'hash')
      unsigned = true
    })
    root = toHex(bytes)
  }
  if (root !== header.transactionsRoot) throw forged(header, 'transactionsRoot')
  return { ...header, transactions, proof: unsigned ? 'receipts-root' : 'transactions-root' }
}

/** Throws ChainError `transactions_unverified` if the block's proof is weaker than `expected`. */
export const expectProof = (block: Block, expected: Proof): void => {
  if (expected === 'receipts-root' || block.proof === expected) return
  throw new ChainError(
    'transactions_unverified',
    `The transactions of block ${block.number} cannot be proven: the node sent only hashes, ` +
      'a type that this version does not know, or an unsigned (impersonated) transaction.',
  )
}

const readTransaction = (item: unknown): ChainTransaction => {
  if (typeof item === 'string') {
    return { hash: readHash(item, 'transaction hash'), to: null, value: 0n, raw: null }
  }
  const raw = readObject(item, 'transaction')
  const hash = readHash(raw.hash, 'transaction hash')
  if (!isPayment(raw)) return { hash, to: null, value: 0n, raw }
  return {
    hash,
    to: raw.to === null || raw.to === undefined ? null : readAddress(raw.to, 'recipient'),
    value: readBigInt(raw.value, 'transaction value'),
    raw,
  }
}

const forged = (header: Header, what: string): ChainError =>
  new ChainError(
    'transactions_forged',
    `The transactions of block ${header.number} contradict their ${what}.`,
  )
