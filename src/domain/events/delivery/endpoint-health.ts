import type { Context } from '../../../db/context.ts'
import { disableEndpoints } from '../webhook/end-endpoints.ts'
import { GONE } from './attempt-outcome.ts'
import type { AttemptResult } from './claimed-delivery.ts'

/**
 * Records whether endpoints work or fail after attempts, and disables endpoints that answered HTTP
 * 410 or have failed for five days. An endpoint with a success and a failure among these attempts
 * counts as working. HTTP 410 in answer to a test event does not disable the endpoint.
 */
export const noteHealth = async (
  ctx: Context,
  attempts: readonly AttemptResult[],
): Promise<void> => {
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
