import type { Part, Queryable } from '../db/client.ts'
import { ALL_EVENTS } from './events.ts'

/** SQL: whether a current administrator set up `endpoint`, so that it gets all users' events. */
export const seesAll = (sql: Queryable) => sql`
  (endpoint.set_by_admin and 'admin' = any(owner.roles))`

/** SQL: whether `endpoint` subscribes to an event type. */
export const asksFor = (sql: Queryable, type: Part | string) => sql`
  (endpoint.events && array[${type}, ${ALL_EVENTS}]::text[])`

/** SQL: whether `endpoint` of `owner` may get `event`. */
export const getsEvent = (sql: Queryable) => sql`
  (${seesAll(sql)} or owner.id = any(event.audience))`
