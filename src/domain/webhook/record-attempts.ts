import { withTransaction } from '../../db/transaction.ts'
import type { DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { disableEndpoints } from './disable-endpoints.ts'
import { retryPauseMs } from './retry-schedule.ts'
import { type Recorded, storeDelivered } from './store-delivered.ts'

/** What became of one claimed delivery. */
export type AttemptResult = {
  delivery: Pick<
    ClaimedDelivery,
    'id' | 'lease' | 'scheduleAttempts' | 'handed' | 'eventId' | 'eventType' | 'endpointId'
  >
  result: DeliveryResult
}

/** HTTP 410: the receiver asks us to stop (Standard Webhooks, "Deliverability"). */
const GONE = 410

/**
 * Stores attempts and what follows from them, all at once: delivered, due again by the schedule,
 * or given up; the endpoint's health; and whether it is switched off. Results whose lease was lost
 * meanwhile are ignored, and those of handed over deliveries that somebody else has made a row of.
 * Returns how many counted.
 */
export const recordAttempts = async (
  context: Context,
  attempts: readonly AttemptResult[],
): Promise<number> => {
  const arrived = attempts.filter(({ delivery, result }) => delivery.handed && !result.errorKind)
  const others = attempts.filter(({ delivery, result }) => !delivery.handed || result.errorKind)
  // One statement, which needs no transaction: nothing more follows of what arrived.
  if (others.length === 0) return counted(await storeDelivered(context, arrived))
  return withTransaction(context, async (context) => {
    const failed = others.filter(({ delivery }) => delivery.handed)
    const claimed = others.filter(({ delivery }) => !delivery.handed)
    const recorded = [
      ...(arrived.length > 0 ? await storeDelivered(context, arrived) : []),
      ...(failed.length > 0 ? await storeFailed(context, failed) : []),
      ...(claimed.length > 0 ? await storeClaimed(context, claimed) : []),
    ]
    await noteHealth(context, mergeByEndpoint(recorded))
    return counted(recorded)
  })
}

const counted = (recorded: readonly Recorded[]): number =>
  recorded.reduce((sum, { count }) => sum + count, 0)

const mergeByEndpoint = (recorded: readonly Recorded[]): Recorded[] => {
  const endpoints = new Map<string, Recorded>()
  for (const each of recorded) {
    const known = endpoints.get(each.endpoint_id)
    const ok = each.ok || (known?.ok ?? false)
    endpoints.set(each.endpoint_id, { ...each, ok, gone: each.gone || (known?.gone ?? false) })
  }
  return [...endpoints.values()]
}

const rowsOf = (attempts: readonly AttemptResult[], now: number) =>
  attempts.map(({ delivery, result }) => ({
    id: delivery.id,
    event_id: delivery.eventId,
    endpoint_id: delivery.endpointId,
    lease: delivery.lease,
    ...outcome(delivery.scheduleAttempts + 1, result, now),
    ok: result.errorKind === null,
    gone: result.statusCode === GONE,
    started_at: result.startedAt.toISOString(),
    duration_ms: result.durationMs,
    status_code: result.statusCode,
    error_kind: result.errorKind,
    response_body: result.responseBody,
  }))

/** Writes the rows of handed over deliveries, which have none, with their first attempts. */
const storeFailed = (
  { sql, clock }: Context,
  attempts: readonly AttemptResult[],
): Promise<Recorded[]> => {
  const rows = rowsOf(attempts, clock.now().getTime())
  return sql<Recorded[]>`
    with result as (
      select * from jsonb_to_recordset(${sql.json(rows)}) as row (
        id uuid, event_id uuid, endpoint_id uuid, status text, next_attempt_at timestamptz,
        gone boolean, started_at timestamptz, duration_ms int, status_code int, error_kind text,
        response_body text)
    ),
    made as (
      insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq, status,
                                    attempts, schedule_attempts, next_attempt_at, created_at)
      select result.id, event.id, endpoint.id, event.campaign_id, event.seq, result.status, 1, 1,
             result.next_attempt_at, event.relayed_at
      from result
      join event on event.id = result.event_id
      join webhook_endpoint endpoint on endpoint.id = result.endpoint_id
      on conflict do nothing
      returning id, endpoint_id
    ),
    attempt as (
      insert into webhook_attempt (delivery_id, number, started_at, duration_ms, status_code,
                                   error_kind, response_body)
      select made.id, 1, result.started_at, result.duration_ms, result.status_code,
             result.error_kind, result.response_body
      from made join result on result.id = made.id
    )
    select endpoint.id as endpoint_id, endpoint.failing_since, told.count, false as ok, told.gone
    from (
      select made.endpoint_id, count(*)::int, bool_or(result.gone) as gone
      from made join result on result.id = made.id group by made.endpoint_id
    ) told join webhook_endpoint endpoint on endpoint.id = told.endpoint_id`
}

const storeClaimed = (
  { sql, clock }: Context,
  attempts: readonly AttemptResult[],
): Promise<Recorded[]> => {
  const now = clock.now().getTime()
  const rows = rowsOf(attempts, now)
  return sql<Recorded[]>`
    with result as (
      select * from jsonb_to_recordset(${sql.json(rows)}) as row (
        id uuid, lease uuid, status text, next_attempt_at timestamptz, ok boolean, gone boolean,
        started_at timestamptz, duration_ms int, status_code int, error_kind text,
        response_body text)
    ),
    changed as (
      update webhook_delivery delivery
      set status = result.status, attempts = delivery.attempts + 1,
          schedule_attempts = delivery.schedule_attempts + 1,
          next_attempt_at = result.next_attempt_at, lease = null, lease_until = null,
          delivered_at = case when result.ok then ${new Date(now)}::timestamptz end
      from result
      where delivery.id = result.id and delivery.lease = result.lease
        and delivery.status = 'pending'
      returning delivery.id, delivery.endpoint_id, delivery.attempts
    ),
    attempt as (
      insert into webhook_attempt (delivery_id, number, started_at, duration_ms, status_code,
                                   error_kind, response_body)
      select changed.id, changed.attempts, result.started_at, result.duration_ms,
             result.status_code, result.error_kind, result.response_body
      from changed join result on result.id = changed.id
    )
    select endpoint.id as endpoint_id, endpoint.failing_since, told.count, told.ok, told.gone
    from (
      select changed.endpoint_id, count(*)::int, bool_or(result.ok) as ok,
             bool_or(result.gone) as gone
      from changed join result on result.id = changed.id group by changed.endpoint_id
    ) told join webhook_endpoint endpoint on endpoint.id = told.endpoint_id`
}

const DELIVERED = { status: 'delivered', next_attempt_at: null }

const outcome = (
  attempt: number,
  result: DeliveryResult,
  nowMs: number,
): { status: string; next_attempt_at: string | null } => {
  if (result.errorKind === null) return DELIVERED
  if (result.statusCode === GONE) return { status: 'cancelled', next_attempt_at: null }
  const pauseMs = retryPauseMs(attempt, result.retryAfterMs, Math.random())
  return pauseMs === undefined
    ? { status: 'exhausted', next_attempt_at: null }
    : { status: 'pending', next_attempt_at: new Date(nowMs + pauseMs).toISOString() }
}

/** Writes to an endpoint's row only when its health changes: a healthy one costs nothing. */
const noteHealth = async (context: Context, endpoints: readonly Recorded[]): Promise<void> => {
  const { sql } = context
  const now = context.clock.now()
  const idsOf = (chosen: readonly Recorded[]) => chosen.map((each) => each.endpoint_id)
  const recovered = endpoints.filter((each) => each.ok && each.failing_since !== null)
  if (recovered.length > 0) {
    await sql`
      update webhook_endpoint set failing_since = null
      where id = any(${idsOf(recovered)}::uuid[])`
  }
  const failing = endpoints.filter((each) => !each.ok && each.failing_since === null)
  if (failing.length > 0) {
    await sql`
      update webhook_endpoint set failing_since = ${now}
      where id = any(${idsOf(failing)}::uuid[]) and failing_since is null`
  }
  await disableEndpoints(context, {
    gone: idsOf(endpoints.filter((each) => each.gone)),
    failing: idsOf(endpoints.filter((each) => !each.ok && each.failing_since !== null)),
  })
}
