import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  customType,
  text,
  timestamp,
  type UpdateDeleteAction,
  uuid,
} from 'drizzle-orm/pg-core'

/** A uint256 amount in base units: `numeric(78,0)` in Postgres, decimal text in JavaScript. */
export const units = customType<{ data: string }>({ dataType: () => 'numeric(78,0)' })

/** A sum of amounts in base units. There is room for 10^18 amounts of the largest size. */
export const unitsSum = customType<{ data: string }>({ dataType: () => 'numeric(96,0)' })

/** A 64-bit integer. The driver refuses a value that a JavaScript number cannot hold exactly. */
export const int64 = (name: string) => bigint(name, { mode: 'number' })

/** A hash, an address or other bytes: `bytea` in Postgres, lower-case hex with 0x in JavaScript. */
export const hex = customType<{ data: string }>({ dataType: () => 'bytea' })

/** A check that a column has 32 bytes (a hash) or 20 bytes (an address). */
export const hasBytes = (name: string, column: AnyPgColumn, bytes: 20 | 32) =>
  check(name, sql`octet_length(${column}) = ${sql.raw(String(bytes))}`)

/** A time with milliseconds and time zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The 64-bit id of a database transaction. PostgreSQL never uses an id twice. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** The words of a text, prepared for full-text search. */
export const searchWords = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** A required reference to the `uuid` of a row. */
export const reference = (
  name: string,
  to: () => AnyPgColumn,
  actions?: { onDelete: UpdateDeleteAction },
) => uuid(name).notNull().references(to, actions)

/** A required reference to a row with a textual key, such as an asset. */
export const textReference = (name: string, to: () => AnyPgColumn) =>
  text(name).notNull().references(to)

/** A check that a column has one of these values. */
export const isOneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(','))})`)
