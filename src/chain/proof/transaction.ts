import { ChainError } from '../errors.ts'
import { type RpcObject, readArray, readBigInt, readNumber, readObject } from '../rpc/read.ts'
import type { RlpWriter } from './rlp-writer.ts'

/**
 * Transactions in their canonical encoding (EIP-2718): `rlp(fields)` for the legacy type, else
 * `type || rlp(fields)`. Fields per type: Yellow Paper (0), EIP-2930 (1), EIP-1559 (2),
 * EIP-4844 (3), EIP-7702 (4), and the deposits of OP chains (0x7e, Optimism specs, "deposits").
 */
type Field = (writer: RlpWriter, transaction: RpcObject) => void

const quantity =
  (name: string): Field =>
  (writer, transaction) =>
    writer.quantity(transaction[name])

const data = (name: string, length?: number): Field => {
  return (writer, transaction) => writer.hex(transaction[name], length)
}

const to: Field = (writer, transaction) => {
  if (transaction.to === null || transaction.to === undefined) writer.hex('0x')
  else writer.hex(transaction.to, 20)
}

// Nodes that came before `yParity` call it `v`.
const yParity: Field = (writer, transaction) =>
  writer.quantity(transaction.yParity ?? transaction.v)

const accessList: Field = (writer, transaction) => {
  writeList(writer, transaction.accessList, (entry) => {
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

const mint: Field = (writer, transaction) => writer.quantity(transaction.mint ?? '0x0')
const isSystem: Field = (writer, transaction) =>
  writer.quantity(transaction.isSystemTx === true ? '0x1' : '0x0')

const nonce = quantity('nonce')
const gas = quantity('gas')
const value = quantity('value')
const input = data('input')
const signature = [quantity('r'), quantity('s')]
const fees = [quantity('maxPriorityFeePerGas'), quantity('maxFeePerGas')]
const call = [gas, to, value, input]

const UNSIGNED: ReadonlyMap<number, readonly Field[]> = new Map([
  [0, [nonce, quantity('gasPrice'), ...call]],
  [1, [quantity('chainId'), nonce, quantity('gasPrice'), ...call, accessList]],
  [2, [quantity('chainId'), nonce, ...fees, ...call, accessList]],
  [
    3,
    [
      quantity('chainId'),
      nonce,
      ...fees,
      ...call,
      accessList,
      quantity('maxFeePerBlobGas'),
      blobHashes,
    ],
  ],
  [4, [quantity('chainId'), nonce, ...fees, ...call, accessList, authorizations]],
])

const SIGNED: ReadonlyMap<number, readonly Field[]> = new Map([
  ...[...UNSIGNED].map(([type, fields]): [number, readonly Field[]] => [
    type,
    [...fields, type === 0 ? quantity('v') : yParity, ...signature],
  ]),
  [0x7e, [data('sourceHash', 32), data('from', 20), to, mint, value, gas, isSystem, input]],
])

export const transactionType = (transaction: RpcObject): number =>
  transaction.type === undefined ? 0 : readNumber(transaction.type, 'transaction type')

/** Whether transactions of this type can be encoded, and so proven. */
export const isKnownType = (type: number): boolean => SIGNED.has(type)

/** Writes the encoding whose keccak is the transaction's hash. The type must be a known one. */
export const writeTransaction = (writer: RlpWriter, transaction: RpcObject): void => {
  const type = transactionType(transaction)
  writeFields(writer, SIGNED.get(type), transaction, type, [])
}

/** Writes what the sender signed. Legacy transactions: with the chain id where `v` says so (EIP-155). */
export const writeSigningPayload = (writer: RlpWriter, transaction: RpcObject): void => {
  const type = transactionType(transaction)
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
    throw new ChainError('transactions_unverified', `Transaction type ${type} is not known.`)
  }
  const mark = writer.mark()
  for (const item of appended.toReversed()) writer.quantity(item)
  for (let i = fields.length - 1; i >= 0; i -= 1) fields[i]?.(writer, transaction)
  writer.endList(mark)
  if (type !== 0) writer.rawByte(type)
}

/** A list of lists, last first. `writeEntry` writes the fields of one entry, last first too. */
const writeList = (writer: RlpWriter, list: unknown, writeEntry: (entry: RpcObject) => void) => {
  const mark = writer.mark()
  for (const item of readArray(list, 'list in a transaction').toReversed()) {
    const entryMark = writer.mark()
    writeEntry(readObject(item, 'list in a transaction'))
    writer.endList(entryMark)
  }
  writer.endList(mark)
}

const writeHashes = (writer: RlpWriter, list: unknown) => {
  const mark = writer.mark()
  for (const hash of readArray(list, 'list in a transaction').toReversed()) writer.hex(hash, 32)
  writer.endList(mark)
}
