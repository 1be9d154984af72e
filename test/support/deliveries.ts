import type { Queryable } from '../../src/db/client.ts'
import type { Context } from '../../src/db/context.ts'
import { relayEvents as relay } from '../../src/domain/events/index.ts'

/**
 * Relays new events as due deliveries, like a worker without free places. Returns the number of
 * events.
 */
export const relayEvents = async (
  ctx: Context,
  { limit = 10_000 }: { limit?: number } = {},
): Promise<number> => {
  const { events } = await relay(ctx, { limit, capacity: 0, leaseMs: 30_000 })
  return events
}

/** Ends all leases in the database, because a test cannot move the database's clock. */
export const endLeases = async (sql: Queryable): Promise<void> => {
  await sql`update webhook_delivery set lease_until = now() - interval '1 s' where lease is not null`
}

export type StoredDelivery = {
  id: string
  eventId: string
  endpointId: string
  status: string
  attempts: number
}

export const storedDeliveries = (sql: Queryable) => sql<StoredDelivery[]>`
  select id, event_id, endpoint_id, status, attempts from webhook_delivery order by id`

export type StoredAttempt = {
  deliveryId: string
  endpointId: string
  number: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  errorKind: string | null
  responseBody: string | null
}

/** Lists all attempts that the deliveries keep, oldest first. */
export const storedAttempts = (sql: Queryable) => sql<StoredAttempt[]>`
  select delivery.id as delivery_id, endpoint_id,
         (attempts + 1 - place)::int as number, ("startedAt")::timestamptz as started_at,
         "durationMs" as duration_ms, "statusCode" as status_code, "errorKind" as error_kind,
         "responseBody" as response_body
  from webhook_delivery delivery
  cross join lateral rows from (
    jsonb_to_recordset(attempt_log) as (
      "startedAt" text, "durationMs" int, "statusCode" int, "errorKind" text, "responseBody" text)
  ) with ordinality as attempt (
    "startedAt", "durationMs", "statusCode", "errorKind", "responseBody", place)
  order by number, delivery.id`
