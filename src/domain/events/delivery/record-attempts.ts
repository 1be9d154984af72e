import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { disableEndpoints } from '../webhook/end-endpoints.ts'
import { GONE, outcomeOf } from './attempt-outcome.ts'
import type { AttemptResult } from './claimed-delivery.ts'

/** A delivery stores its newest attempts, at most this many. */
export const MAX_ATTEMPTS = 20

/**
 * Stores the results of attempts and the new status of each delivery. Updates the health of the
 * endpoints. Ignores a result if the delivery no longer has the lease of the attempt.
 *
 * @returns the number of stored results
 */
export const recordAttempts = (ctx: Context, attempts: readonly AttemptResult[]): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const rows = attempts.map(({ delivery, result }) => {
      const { id, lease, scheduleAttempts } = delivery
      const { retryAfterMs: _, ...attempt } = result
      return { id, lease, attempt, ...outcomeOf(scheduleAttempts + 1, result, now) }
    })
    const changed = await ctx.sql<{ id: string }[]>`
      update webhook_delivery delivery
      set status = result.status, attempts = delivery.attempts + 1,
          schedule_attempts = delivery.schedule_attempts + 1,
          attempt_log = jsonb_strip_nulls(result.attempt) || case
            when jsonb_array_length(delivery.attempt_log) < ${MAX_ATTEMPTS}::int
            then delivery.attempt_log else delivery.attempt_log - -1 end,
          next_attempt_at = result."nextAttemptAt", delivered_at = result."deliveredAt",
          lease = null, lease_until = null
      from jsonb_to_recordset(${ctx.sql.json(rows)}) as result (
        id uuid, lease uuid, status text, "nextAttemptAt" timestamptz, "deliveredAt" timestamptz,
        attempt jsonb)
      where delivery.id = result.id and delivery.lease = result.lease
      returning delivery.id`
    const counted = new Set(changed.map(({ id }) => id))
    const stored = attempts.filter(({ delivery }) => counted.has(delivery.id))
    await noteHealth(ctx, stored)
    return counted.size
  })

/**
 * Records whether endpoints work or fail after attempts, and disables endpoints that answered HTTP
 * 410 or have failed for five days. An endpoint with a success and a failure among these attempts
 * counts as working. HTTP 410 in answer to a test event does not disable the endpoint.
 */
const noteHealth = async (ctx: Context, attempts: readonly AttemptResult[]): Promise<void> => {
  const { sql } = ctx
  const now = ctx.clock.now()
  const good = new Set<string>()
  const bad = new Set<string>()
  const gone = new Set<string>()
  for (const { delivery, result } of attempts) {
    if (result.errorKind === null) good.add(delivery.endpointId)
    else bad.add(delivery.endpointId)
    if (result.statusCode === GONE && !delivery.test) gone.add(delivery.endpointId)
  }
  if (good.size > 0) {
    // The last condition skips endpoints that already work, because most attempts change nothing.
    await sql`
      update webhook_endpoint
      set failing_since = null, answered_at = coalesce(answered_at, ${now}),
          -- The first success ends the low limit for new endpoints, so the next slot is cleared.
          next_slot_at = case when answered_at is not null then next_slot_at end
      where id = any(${[...good]}::uuid[])
        and (failing_since is not null or answered_at is null)`
  }
  const failing = [...bad.difference(good)]
  if (failing.length > 0) {
    await sql`
      update webhook_endpoint set failing_since = ${now}
      where id = any(${failing}::uuid[]) and failing_since is null`
  }
  await disableEndpoints(ctx, { gone: [...gone], failing })
}
