import { ChainError } from '../errors.ts'
import { type RpcObject, readBigInt, readNumber } from '../rpc/read.ts'
import type { RlpWriter } from './rlp-writer.ts'
import { ROLLUP_TYPES, type RollupType } from './rollup-types.ts'
import {
  chainId,
  type Field,
  gas,
  input,
  nonce,
  quantity,
  to,
  value,
  writeHashes,
  writeList,
} from './transaction-fields.ts'

/**
 * Writes transactions in the canonical encoding (EIP-2718): `rlp(fields)` for the legacy type 0,
 * `type || rlp(fields)` for other types. The fields are defined in: Yellow Paper (type 0), EIP-2930
 * (1), EIP-1559 (2), EIP-4844 (3), EIP-7702 (4); see rollup-types.ts for the types of rollups.
 */

// Old nodes call this field `v`.
const yParity: Field = (writer, transaction) =>
  writer.quantity(transaction.yParity ?? transaction.v)

// Nodes of Gnosis omit an empty access list.
const accessList: Field = (writer, transaction) => {
  writeList(writer, transaction.accessList ?? [], (entry) => {
    writeHashes(writer, entry.storageKeys)
    writer.hex(entry.address, 20)
  })
}

const blobHashes: Field = (writer, transaction) =>
  writeHashes(writer, transaction.blobVersionedHashes)

const authorizations: Field = (writer, transaction) => {
  writeList(writer, transaction.authorizationList, (entry) => {
    writer.quantity(entry.s)
    writer.quantity(entry.r)
    yParity(writer, entry)
    writer.quantity(entry.nonce)
    writer.hex(entry.address, 20)
    writer.quantity(entry.chainId)
  })
}

const signature = [quantity('r'), quantity('s')]
const fees = [quantity('maxPriorityFeePerGas'), quantity('maxFeePerGas')]
const call = [gas, to, value, input]

const UNSIGNED: ReadonlyMap<number, readonly Field[]> = new Map([
  [0, [nonce, quantity('gasPrice'), ...call]],
  [1, [chainId, nonce, quantity('gasPrice'), ...call, accessList]],
  [2, [chainId, nonce, ...fees, ...call, accessList]],
  [3, [chainId, nonce, ...fees, ...call, accessList, quantity('maxFeePerBlobGas'), blobHashes]],
  [4, [chainId, nonce, ...fees, ...call, accessList, authorizations]],
])

const SIGNED: ReadonlyMap<number, readonly Field[]> = new Map(
  [...UNSIGNED].map(([type, fields]): [number, readonly Field[]] => [
    type,
    [...fields, type === 0 ? quantity('v') : yParity, ...signature],
  ]),
)

export const transactionType = (transaction: RpcObject): number =>
  transaction.type === undefined ? 0 : readNumber(transaction.type, 'transaction type')

/** Compares the common types as text, because parsing types took 3 % of a block's proof time. */
const rollupOf = (transaction: RpcObject): RollupType | undefined =>
  transaction.type === '0x2' || transaction.type === '0x0'
    ? undefined
    : ROLLUP_TYPES.get(transactionType(transaction))

/** Whether a transaction can be encoded: its type is known and no required field is missing. */
export const isEncodable = (transaction: RpcObject): boolean => {
  const rollup = rollupOf(transaction)
  if (rollup) return rollup.needs.every((name) => (transaction[name] ?? null) !== null)
  return SIGNED.has(transactionType(transaction))
}

/** Whether a transaction's hash proves its `to` and `value`. */
export const isPayment = (transaction: RpcObject): boolean => rollupOf(transaction)?.pays ?? true

/** Whether a transaction's hash is the keccak of its encoding. False for some types of rollups. */
export const isHashed = (transaction: RpcObject): boolean => rollupOf(transaction)?.hashed ?? true

/** Whether a required signature is missing. Valid `r` and `s` are never 0 (SEC 1, 4.1.4). */
export const isUnsigned = (transaction: RpcObject): boolean =>
  transaction.r === '0x0' && transaction.s === '0x0' && rollupOf(transaction) === undefined

/**
 * The nonce of a signed transaction. Null for a rollup's own transactions, because their encoding
 * does not prove a nonce of the sender.
 */
export const nonceOf = (transaction: RpcObject): bigint | null =>
  rollupOf(transaction) && signedAs(transaction) !== 0
    ? null
    : readBigInt(transaction.nonce, 'nonce')

/** The name of the field with the sender of an unsigned transaction; null if no field holds it. */
export const senderFieldOf = (transaction: RpcObject): string | null =>
  rollupOf(transaction)?.sender ?? null

/** Writes the encoding of a transaction for which `isEncodable` is true. */
export const writeTransaction = (writer: RlpWriter, transaction: RpcObject): void => {
  const type = transactionType(transaction)
  const rollup = rollupOf(transaction)
  if (rollup) {
    rollup.write(writer, transaction)
    writer.rawByte(type)
  } else writeFields(writer, SIGNED.get(type), transaction, type, [])
}

/** The type of Arbitrum's transactions from before Nitro, which are signed as type 0. */
const ARBITRUM_LEGACY = 0x78

/** The transaction type whose signing rules apply to this transaction. */
export const signedAs = (transaction: RpcObject): number => {
  const type = transactionType(transaction)
  return type === ARBITRUM_LEGACY ? 0 : type
}

/** Writes the bytes that were signed. Type 0 includes the chain id only if v >= 35 (EIP-155). */
export const writeSigningPayload = (writer: RlpWriter, transaction: RpcObject): void => {
  const type = signedAs(transaction)
  const v = type === 0 ? readBigInt(transaction.v, 'signature') : 0n
  const replayGuard = v >= 35n ? [`0x${((v - 35n) / 2n).toString(16)}`, '0x0', '0x0'] : []
  writeFields(writer, UNSIGNED.get(type), transaction, type, replayGuard)
}

const writeFields = (
  writer: RlpWriter,
  fields: readonly Field[] | undefined,
  transaction: RpcObject,
  type: number,
  appended: readonly string[],
) => {
  if (fields === undefined) {
    throw new ChainError('transactions_unverified', `unknown transaction type ${type}`)
  }
  const mark = writer.mark()
  for (const item of appended.toReversed()) writer.quantity(item)
  for (let i = fields.length - 1; i >= 0; i -= 1) fields[i]?.(writer, transaction)
  writer.endList(mark)
  if (type !== 0) writer.rawByte(type)
}
