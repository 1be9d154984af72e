import { keccak256, recoverAddress } from 'ethers'
import { ChainError } from '../errors.ts'
import { type RpcObject, readAddress, readBigInt, readNumber } from '../rpc/read.ts'
import type { ChainTransaction } from '../types.ts'
import { createRlpWriter, type RlpWriter } from './rlp-writer.ts'
import { nonceOf, senderFieldOf, signedAs, writeSigningPayload } from './transaction.ts'

let writer: RlpWriter | undefined

/**
 * Recovers a transaction's signer from the signature (2 to 3 ms), because the node's `from` is not
 * proven. A rollup's own transactions have no signature, but their encoding, which transactionsRoot
 * proves, contains the sender.
 *
 * @returns a lower-case address
 * @throws ChainError `transactions_unverified` if the signature is not usable or the type is
 *   unknown
 */
export const recoverSender = (transaction: ChainTransaction): string => {
  const raw = transaction.raw
  if (raw === null) throw unverified(transaction)
  const field = senderFieldOf(raw)
  if (field !== null && (raw[field] ?? null) !== null) return readAddress(raw[field], 'sender')
  writer ??= createRlpWriter()
  writer.rewind(0)
  writeSigningPayload(writer, raw)
  try {
    const signature = { r: word(raw.r), s: word(raw.s), yParity: parityOf(raw) }
    return recoverAddress(keccak256(writer.view(0)), signature).toLowerCase()
  } catch {
    throw unverified(transaction)
  }
}

/**
 * Whether an account sent a transaction, as the transaction's hash proves. Recovers the signer
 * (slow) only if `first` <= nonce < `end`, the range of the account's nonces in the block.
 */
export const isSentBy = (
  transaction: ChainTransaction,
  account: string,
  { first, end }: { first: bigint; end: bigint },
): boolean => {
  const { raw } = transaction
  if (raw === null) return false
  const field = senderFieldOf(raw)
  if (field !== null && (raw[field] ?? null) !== null) {
    return readAddress(raw[field], 'sender') === account
  }
  const nonce = nonceOf(raw)
  if (nonce === null || nonce < first || nonce >= end) return false
  return recoverSender(transaction) === account
}

const parityOf = (raw: RpcObject): 0 | 1 => {
  if (signedAs(raw) !== 0) return readNumber(raw.yParity ?? raw.v, 'parity') === 0 ? 0 : 1
  const v = readBigInt(raw.v, 'signature')
  return (v >= 35n ? v - 35n : v - 27n) % 2n === 0n ? 0 : 1
}

const word = (value: unknown): string =>
  `0x${readBigInt(value, 'signature').toString(16).padStart(64, '0')}`

const unverified = (transaction: ChainTransaction): ChainError =>
  new ChainError('transactions_unverified', `invalid signature on transaction ${transaction.hash}`)
