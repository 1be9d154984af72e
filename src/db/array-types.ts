import type postgres from 'postgres'
import { parse } from 'postgres-array'

/** Array types: the oid in `pg_type`, and the conversion of an element to JavaScript. */
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
 * One-dimensional arrays as parameters and in rows. Without these the driver queries them on each
 * new connection, and an error of that query ends the process (postgres.js 3.4.9,
 * `fetchArrayTypes`).
 */
export const arrayTypes = (): Record<string, postgres.PostgresType> =>
  Object.fromEntries(
    Object.entries(ARRAYS).map(([name, { oid, element }]) => [
      name,
      { to: oid, from: [oid], serialize, parse: (text: string) => parse(text, element) },
    ]),
  )

/** PostgreSQL documentation, section 8.15.6. Quotes everything except numbers and NULL. */
const serialize = (values: readonly unknown[]): string => {
  const text = values.join(',')
  // Checks all elements at once for characters to escape: thousands of ids have none.
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

/** An integer of the database that JavaScript represents exactly. */
export const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
