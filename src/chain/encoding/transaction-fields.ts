import { type RpcObject, readArray, readObject } from '../rpc/read.ts'
import type { RlpWriter } from './rlp-writer.ts'

export type Field = (writer: RlpWriter, transaction: RpcObject) => void

export const quantity =
  (name: string): Field =>
  (writer, transaction) =>
    writer.quantity(transaction[name])

export const data = (name: string, length?: number): Field => {
  return (writer, transaction) => writer.hex(transaction[name], length)
}

/** Writes an address, or an empty string for a transaction that creates a contract. */
export const optionalAddress =
  (name: string): Field =>
  (writer, transaction) => {
    const value = transaction[name]
    if (value === null || value === undefined) writer.hex('0x')
    else writer.hex(value, 20)
  }

/** Writes the fields as one list, the last field first (RlpWriter writes backwards). */
export const writeFieldList = (
  writer: RlpWriter,
  fields: readonly Field[],
  transaction: RpcObject,
): void => {
  const mark = writer.mark()
  for (let i = fields.length - 1; i >= 0; i -= 1) fields[i]?.(writer, transaction)
  writer.endList(mark)
}

/** Writes a list of lists, the last entry first. `writeEntry` must write the last field first. */
export const writeList = (
  writer: RlpWriter,
  list: unknown,
  writeEntry: (entry: RpcObject) => void,
): void => {
  const mark = writer.mark()
  for (const item of readArray(list, 'list in a transaction').toReversed()) {
    const entryMark = writer.mark()
    writeEntry(readObject(item, 'list in a transaction'))
    writer.endList(entryMark)
  }
  writer.endList(mark)
}

export const writeHashes = (writer: RlpWriter, list: unknown): void => {
  const mark = writer.mark()
  for (const hash of readArray(list, 'list in a transaction').toReversed()) writer.hex(hash, 32)
  writer.endList(mark)
}

export const nonce = quantity('nonce')
export const gas = quantity('gas')
export const value = quantity('value')
export const to = optionalAddress('to')
export const input = data('input')
export const chainId = quantity('chainId')
