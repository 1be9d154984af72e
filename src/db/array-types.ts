import type postgres from 'postgres'
import { parse } from 'postgres-array'

/** The type `bytea`, whose values are lower-case hex with 0x in JavaScript. */
const hexType: postgres.PostgresType<string> = {
  to: 17,
  from: [17],
  serialize: (hex) => literalOf(hex),
  parse: (text: string) => hexOf(text),
}

/** The literal of bytes (PostgreSQL documentation, section 8.4.1). Throws TypeError unless hex. */
const literalOf = (hex: string): string => {
  if (!HEX.test(hex)) throw new TypeError(`${hex.slice(0, 80)} is not hex with 0x`)
  return `\\x${hex.slice(2)}`
}

const HEX = /^0x(?:[0-9a-f]{2})*$/i
const hexOf = (text: string): string => `0x${text.slice(2)}`

/** Each array type has its oid in `pg_type` and converts an element's text to JavaScript. */
const ARRAYS: Record<string, { oid: number; element(text: string): unknown }> = {
  boolArray: { oid: 1000, element: (text) => text === 't' },
  nameArray: { oid: 1003, element: (text) => text },
  integerArray: { oid: 1007, element: Number },
  textArray: { oid: 1009, element: (text) => text },
  bigintArray: { oid: 1016, element: (text) => safeInteger(text) },
  numericArray: { oid: 1231, element: (text) => text },
  uuidArray: { oid: 2951, element: (text) => text },
}

/**
 * Types with which the driver reads and writes `bytea` and one-dimensional arrays. Without those of
 * arrays, the driver queries all types on each new connection, and an error of this query ends the
 * process (postgres.js 3.4.9, `fetchArrayTypes`).
 */
export const arrayTypes = (): Record<string, postgres.PostgresType> => ({
  bytea: hexType,
  hexArray: {
    to: 1001,
    from: [1001],
    serialize: (values: readonly string[]) => serialize(values.map(literalOf)),
    parse: (text: string) => parse(text, hexOf),
  },
  ...Object.fromEntries(
    Object.entries(ARRAYS).map(([name, { oid, element }]) => [
      name,
      { to: oid, from: [oid], serialize, parse: (text: string) => parse(text, element) },
    ]),
  ),
})

/** Writes an array literal (PostgreSQL documentation, section 8.15.6). Quotes all text elements. */
const serialize = (values: readonly unknown[]): string => {
  const text = values.join(',')
  // One check of the joined text is faster than a check per element. Ids never need an escape.
  if (typeof values[0] !== 'string' || SPECIAL.test(text) || !values.every(isText)) {
    return `{${values.map(element).join(',')}}`
  }
  return `{"${values.join('","')}"}`
}

const SPECIAL = /["\\]/
const isText = (value: unknown): boolean => typeof value === 'string'

const element = (value: unknown): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

/** Reads an integer. Throws RangeError if a JavaScript number cannot hold the integer exactly. */
export const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
