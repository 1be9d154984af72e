import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A uint256 amount in base units: `numeric(78,0)` in Postgres, decimal text on the wire. */
export const units = customType<{ data: string }>({ dataType: () => 'numeric(78,0)' })

/** A sum of amounts: wide enough that 10^18 of the largest ones cannot stop a chain. */
export const unitsSum = customType<{ data: string }>({ dataType: () => 'numeric(96,0)' })

export const binary = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** A moment with milliseconds, always with its time zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A transaction's id that never wraps around: what has ended stays ended. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** The words of a text, each as it is found by. */
export const searchWords = customType<{ data: string }>({ dataType: () => 'tsvector' })
