import { keccak_256 } from '@noble/hashes/sha3'
import { DomainError } from './errors.ts'
import { JsonNumber } from './json.ts'

/** Far deeper than any body that is accepted, far from what would exhaust the stack. */
const MAX_DEPTH = 128

/**
 * The one text of a JSON value, whatever order and spacing it came in (RFC 8785): no white space,
 * members sorted by the UTF-16 code units of their names, strings and numbers as ECMAScript writes
 * them. Numbers are doubles there (section 3.2.2.3), so a {@link JsonNumber} is rounded to one.
 * Members that are undefined do not exist, as for `JSON.stringify`.
 *
 * @throws DomainError `invalid_input` for what has no canonical form: numbers that are not finite,
 * broken surrogate pairs, what JSON does not know, nesting deeper than 128
 */
export const canonicalJson = (value: unknown): string => write(value, MAX_DEPTH)

/** keccak256 of the canonical text in UTF-8, as 0x and 64 lower-case digits. Throws as {@link canonicalJson}. */
export const hashCanonicalJson = (value: unknown): `0x${string}` =>
  `0x${Buffer.from(keccak_256(canonicalJson(value))).toString('hex')}`

const write = (value: unknown, depth: number): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') return writeNumber(value)
  if (value instanceof JsonNumber) return writeNumber(Number(value.source))
  if (typeof value !== 'object') throw refused(`a ${typeof value} is no JSON`)
  if (depth === 0) throw refused('it is nested too deeply')
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth - 1)).join(',')}]`
  // `sort` without a comparison compares UTF-16 code units: section 3.2.3.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name]) => name)
    .sort()
    .map((name) => `${writeString(name)}:${write(Reflect.get(value, name), depth - 1)}`)
  return `{${members.join(',')}}`
}

/** `JSON.stringify` escapes exactly what section 3.2.2.2 asks for, except that it lets halves of pairs pass. */
const writeString = (text: string): string => {
  if (!text.isWellFormed()) throw refused('a text holds half of a surrogate pair')
  return JSON.stringify(text)
}

/** Negative zero is written `0`, as `JSON.stringify` does. */
const writeNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw refused('a number is not finite')
  return JSON.stringify(value)
}

const refused = (why: string) =>
  new DomainError('invalid_input', `This JSON has no canonical form: ${why}.`)
