import type { Part, Queryable } from '../db/client.ts'
import { ALL_EVENTS } from './events.ts'

/** SQL: whether `endpoint` sees all events: an administrator set it up and still has this role. */
export const seesAll = (sql: Queryable) => sql`
  (endpoint.set_by_admin and 'admin' = any(owner.roles))`

/** SQL: whether `endpoint` subscribes to the event type `type` or to all types. */
export const asksFor = (sql: Queryable, type: Part | string) => sql`
  (endpoint.events && array[${type}, ${ALL_EVENTS}]::text[])`

/** SQL: whether `endpoint`, which belongs to the user `owner`, may get `event`. */
export const getsEvent = (sql: Queryable) => sql`
  (${seesAll(sql)} or owner.id = any(event.audience))`
