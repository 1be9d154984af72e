import {
  type AnyPgColumn,
  customType,
  text,
  timestamp,
  type UpdateDeleteAction,
  uuid,
} from 'drizzle-orm/pg-core'

/** A uint256 amount in base units: `numeric(78,0)` in Postgres, decimal text in JavaScript. */
export const units = customType<{ data: string }>({ dataType: () => 'numeric(78,0)' })

/** A sum in base units, with room for 10^18 of the largest amounts. */
export const unitsSum = customType<{ data: string }>({ dataType: () => 'numeric(96,0)' })

export const binary = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** A time with milliseconds and time zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The id of a database transaction, in 64 bits: ids are never used again. */
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
