import { keccak_256 } from '@noble/hashes/sha3'
import { DomainError } from '../errors.ts'
import { JsonNumber } from './json.ts'

/** The most nested levels of a value. No accepted request body has this many levels. */
const MAX_DEPTH = 128

/**
 * Writes the canonical text of a JSON value (RFC 8785): without white space, with members sorted by
 * the UTF-16 code units of their names, and with strings and numbers as in ECMAScript. Rounds a
 * {@link JsonNumber} to a double (section 3.2.2.3). Omits undefined members.
 *
 * @throws DomainError `invalid_input` if the value has infinite numbers, halves of surrogate pairs,
 *   values that JSON does not have, or more than 128 nested levels
 */
export const canonicalJson = (value: unknown): string => write(value, MAX_DEPTH)

/** keccak256 of the canonical UTF-8 text: 0x and 64 digits. Throws like {@link canonicalJson}. */
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
  // `sort` without a function compares UTF-16 code units, as RFC 8785, section 3.2.3 requires.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name]) => name)
    .sort()
    .map((name) => `${writeString(name)}:${write(Reflect.get(value, name), depth - 1)}`)
  return `{${members.join(',')}}`
}

/** `JSON.stringify` escapes as RFC 8785 requires, but also accepts half of a surrogate pair. */
const writeString = (text: string): string => {
  if (!text.isWellFormed()) throw refused('a text holds half of a surrogate pair')
  return JSON.stringify(text)
}

/** Writes a finite number. `JSON.stringify` writes negative zero as `0`, as RFC 8785 requires. */
const writeNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw refused('a number is not finite')
  return JSON.stringify(value)
}

const refused = (why: string) =>
  new DomainError('invalid_input', `This JSON has no canonical form: ${why}.`)
