import type { Part, Queryable } from '../../db/client.ts'
import { seesAll } from '../../outbox/sees-all.ts'

/**
 * The active and paused endpoints that get `event`, of the statement around it: those of users whom
 * it concerns, and those that see all.
 */
export const endpointsOf = (sql: Queryable): Part => sql`
  select endpoint.* from webhook_endpoint endpoint
  where endpoint.user_id = any(event.audience)
    and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)
  union
  select endpoint.* from app_user owner
  join webhook_endpoint endpoint on endpoint.user_id = owner.id
  where ${seesAll(sql)}
    and endpoint.status in ('active', 'paused') and event.type = any(endpoint.events)`
