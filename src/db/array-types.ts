import type postgres from 'postgres'
import { parse } from 'postgres-array'

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
 * Types with which the driver reads and writes one-dimensional arrays. Without these types, the
 * driver queries all types on each new connection, and an error of this query ends the process
 * (postgres.js 3.4.9, `fetchArrayTypes`).
 */
export const arrayTypes = (): Record<string, postgres.PostgresType> =>
  Object.fromEntries(
    Object.entries(ARRAYS).map(([name, { oid, element }]) => [
      name,
      { to: oid, from: [oid], serialize, parse: (text: string) => parse(text, element) },
    ]),
  )

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
