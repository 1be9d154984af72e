import type { Part, Queryable } from '../db/client.ts'
import { ALL_EVENTS } from './events.ts'

/** SQL condition: an administrator set up `endpoint`, and its owner still is an administrator. */
export const seesAll = (sql: Queryable) => sql`
  (endpoint.set_by_admin and 'admin' = any(owner.roles))`

/** SQL condition: `endpoint` subscribes to the event type `type` or to all types. */
export const asksFor = (sql: Queryable, type: Part | string) => sql`
  (endpoint.events && array[${type}, ${ALL_EVENTS}]::text[])`

/** SQL condition: `endpoint` sees all events, or its user `owner` may see `event`. */
export const getsEvent = (sql: Queryable) => sql`
  (${seesAll(sql)} or owner.id = any(event.audience))`
