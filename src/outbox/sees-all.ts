import type { Queryable } from '../db/client.ts'

/** Whether `endpoint` gets everybody's events: an administrator set it up, and `owner` still is one. */
export const seesAll = (sql: Queryable) => sql`
  (endpoint.set_by_admin and 'admin' = any(owner.roles))`

/** Whether `endpoint` of `owner` gets `event`. */
export const getsEvent = (sql: Queryable) => sql`
  (${seesAll(sql)} or owner.id = any(event.audience))`
