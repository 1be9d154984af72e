import type { Part, Queryable } from '../db/client.ts'
import { ALL_EVENTS } from './events.ts'

/** Whether `endpoint` gets the events of all users: set up by a current administrator. */
export const seesAll = (sql: Queryable) => sql`
  (endpoint.set_by_admin and 'admin' = any(owner.roles))`

/** Whether `endpoint` subscribes to a type. */
export const asksFor = (sql: Queryable, type: Part | string) => sql`
  (endpoint.events && array[${type}, ${ALL_EVENTS}]::text[])`

/** Whether `endpoint` of `owner` may get `event`. */
export const getsEvent = (sql: Queryable) => sql`
  (${seesAll(sql)} or owner.id = any(event.audience))`
