import { ChainError } from '../errors.ts'
import { type RpcObject, readAddress, readBigInt, readHash, readObject } from '../rpc/read.ts'
import type { Block, ChainTransaction, Header } from '../types.ts'
import { toHex } from './keccak.ts'
import { EMPTY_ROOT, orderedTrieRoot } from './ordered-trie.ts'
import type { ProofTools } from './tools.ts'
import { isKnownType, transactionType, writeTransaction } from './transaction.ts'

/**
 * Joins a proven header with its transactions, and proves them as far as they can be: all of them
 * are encoded, each encoding must hash to its transaction's hash, and together they must rebuild
 * the header's transactionsRoot. Nothing can be left out, added or altered.
 *
 * Hashes alone, a type that cannot be encoded, or a transaction that nobody signed (a development
 * chain's impersonation, which names it by a hash of its own making) leave the block at
 * `receipts-root` (see Proof).
 *
 * @throws ChainError `transactions_forged`, `bad_response`
 */
export const proveTransactions = (
  header: Header,
  list: readonly unknown[],
  { writer, keccak }: ProofTools,
): Block => {
  const transactions = list.map(readTransaction)
  const raws = transactions.map((transaction) => transaction.raw)
  if (!raws.every(isEncodable)) return { ...header, transactions, proof: 'receipts-root' }

  writer.rewind(0)
  let root = EMPTY_ROOT
  let unsigned = false
  if (raws.length > 0) {
    const bytes = orderedTrieRoot(raws.length, writer, keccak, (index) => {
      const mark = writer.mark()
      const transaction = transactions[index]
      if (!transaction?.raw) throw new RangeError('No such transaction.')
      writeTransaction(writer, transaction.raw)
      if (toHex(keccak(writer.view(mark))) === transaction.hash) return
      if (!isUnsigned(transaction.raw)) throw forged(header, 'hash')
      unsigned = true
    })
    root = toHex(bytes)
  }
  if (root !== header.transactionsRoot) throw forged(header, 'transactionsRoot')
  return { ...header, transactions, proof: unsigned ? 'receipts-root' : 'transactions-root' }
}

const readTransaction = (item: unknown): ChainTransaction => {
  if (typeof item === 'string') {
    return { hash: readHash(item, 'transaction hash'), to: null, value: 0n, raw: null }
  }
  const raw = readObject(item, 'transaction')
  return {
    hash: readHash(raw.hash, 'transaction hash'),
    to: raw.to === null || raw.to === undefined ? null : readAddress(raw.to, 'recipient'),
    value: readBigInt(raw.value, 'transaction value'),
    raw,
  }
}

const isEncodable = (raw: RpcObject | null): boolean =>
  raw !== null && isKnownType(transactionType(raw))

/** No signature has a zero in it (SEC 1, section 4.1.4). */
const isUnsigned = (raw: RpcObject): boolean => raw.r === '0x0' && raw.s === '0x0'

const forged = (header: Header, what: string): ChainError =>
  new ChainError(
    'transactions_forged',
    `The transactions of block ${header.number} contradict their ${what}.`,
  )
