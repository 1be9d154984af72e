import { keccak_256 } from '@noble/hashes/sha3'
import { DomainError } from '../errors.ts'
import { JsonNumber } from './json.ts'

/** The highest number of nested levels. Accepted request bodies have far fewer levels. */
const MAX_DEPTH = 128

/**
 * The canonical text of a JSON value (RFC 8785): no white space, members sorted by the UTF-16 code
 * units of their names, strings and numbers as in ECMAScript. A {@link JsonNumber} is rounded to a
 * double (section 3.2.2.3). Undefined members are omitted.
 *
 * @throws DomainError `invalid_input` for values without a canonical form: infinite numbers, broken
 *   surrogate pairs, values that JSON does not have, nesting deeper than 128
 */
export const canonicalJson = (value: unknown): string => write(value, MAX_DEPTH)

/**
 * keccak256 of the canonical text in UTF-8, as 0x and 64 digits. Throws like {@link canonicalJson}.
 */
export const hashCanonicalJson = (value: unknown): `0x${string}` =>
  `0x${Buffer.from(keccak_256(canonicalJson(value))).toString('hex')}`

const write = (value: unknown, depth: number): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') return writeNumber(value)
  if (value instanceof JsonNumber) return writeNumber(Number(value.source))
  if (typeof value !== 'object') throw refused(`a ${typeof value} is not JSON`)
  if (depth === 0) throw refused('it is nested too deeply')
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth - 1)).join(',')}]`
  // `sort` without a function compares UTF-16 code units, as section 3.2.3 requires.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name]) => name)
    .sort()
    .map((name) => `${writeString(name)}:${write(Reflect.get(value, name), depth - 1)}`)
  return `{${members.join(',')}}`
}

/** `JSON.stringify` escapes as RFC 8785 requires, but it would accept half of a surrogate pair. */
const writeString = (text: string): string => {
  if (!text.isWellFormed()) throw refused('a text holds half of a surrogate pair')
  return JSON.stringify(text)
}

/** Writes negative zero as `0`, as `JSON.stringify` does. */
const writeNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw refused('a number is not finite')
  return JSON.stringify(value)
}

const refused = (why: string) =>
  new DomainError('invalid_input', `This JSON has no canonical form: ${why}.`)
