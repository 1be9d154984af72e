import { withTransaction } from '../../db/transaction.ts'
import type { DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { disableEndpoints } from './disable-endpoints.ts'
import { retryPauseMs } from './retry-schedule.ts'

/** What became of one claimed delivery. */
export type AttemptResult = {
  delivery: Pick<ClaimedDelivery, 'id' | 'lease' | 'scheduleAttempts'>
  result: DeliveryResult
}

/** HTTP 410: the receiver asks us to stop (Standard Webhooks, "Deliverability"). */
const GONE = 410

type Recorded = { endpoint_id: string; failing_since: Date | null; ok: boolean; gone: boolean }

/**
 * Stores attempts and what follows from them, all at once: delivered, due again by the schedule,
 * or given up; the endpoint's health; and whether it is switched off. Results whose lease was lost
 * meanwhile are ignored. Returns how many counted.
 */
export const recordAttempts = (
  context: Context,
  attempts: readonly AttemptResult[],
): Promise<number> =>
  withTransaction(context, async (context) => {
    const recorded = await store(context, attempts)
    const endpoints = new Map<string, Recorded>()
    for (const each of recorded) {
      const known = endpoints.get(each.endpoint_id)
      const ok = each.ok || (known?.ok ?? false)
      endpoints.set(each.endpoint_id, { ...each, ok, gone: each.gone || (known?.gone ?? false) })
    }
    await noteHealth(context, [...endpoints.values()])
    return recorded.length
  })

const store = (context: Context, attempts: readonly AttemptResult[]): Promise<Recorded[]> => {
  const { sql } = context
  const now = context.clock.now().getTime()
  const rows = attempts.map(({ delivery, result }) => ({
    id: delivery.id,
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
    select changed.endpoint_id, endpoint.failing_since, result.ok, result.gone
    from changed join result on result.id = changed.id
    join webhook_endpoint endpoint on endpoint.id = changed.endpoint_id`
}

const outcome = (
  attempt: number,
  result: DeliveryResult,
  nowMs: number,
): { status: string; next_attempt_at: string | null } => {
  if (result.errorKind === null) return { status: 'delivered', next_attempt_at: null }
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
