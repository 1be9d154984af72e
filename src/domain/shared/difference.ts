import type { Queryable } from '../../db/client.ts'

/** A stored value that differs from the value that a check has recomputed. */
export type Difference = { what: string; id: string; stored: string; recomputed: string }

/** SQL for whether a difference is open and not acknowledged. */
export const isUnexplained = (sql: Queryable) =>
  sql`resolved_at is null and acknowledged_at is null`
