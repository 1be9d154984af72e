import type postgres from 'postgres'
import { parse } from 'postgres-array'

/** Of the array types in `pg_type`: its own number, and what an element of it is in JavaScript. */
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
 * Arrays of one dimension, as parameters and in rows. The driver would ask the database for these
 * types on each new connection; when that breaks just then, nobody catches the error and the process
 * ends (postgres.js 3.4.9, `fetchArrayTypes`).
 */
export const arrayTypes = (): Record<string, postgres.PostgresType> =>
  Object.fromEntries(
    Object.entries(ARRAYS).map(([name, { oid, element }]) => [
      name,
      { to: oid, from: [oid], serialize, parse: (text: string) => parse(text, element) },
    ]),
  )

/** PostgreSQL documentation, section 8.15.6: everything quoted but numbers and NULL. */
const serialize = (values: readonly unknown[]): string => {
  const text = values.join(',')
  // Nothing to escape, as in thousands of ids at a time: found out for all of them at once.
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

/** A number of the database that JavaScript can hold exactly. */
export const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
