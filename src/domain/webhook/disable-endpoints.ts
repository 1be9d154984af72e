import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import { notify } from '../notification/index.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'

/** Time that an endpoint may fail without a success. */
const MAX_FAILING_MS = 5 * 24 * 3_600_000

type Disabled = {
  id: string
  userId: string
  url: string
  disabledReason: 'gone' | 'failing'
  email: string | null
  lang: string
}

/**
 * Disables endpoints that answered 410, and those of `failing` that have failed for five days.
 * Cancels their pending deliveries, and informs their owners by mail and notification.
 */
export const disableEndpoints = async (
  ctx: Context,
  { gone, failing }: { gone: readonly string[]; failing: readonly string[] },
): Promise<void> => {
  if (gone.length === 0 && failing.length === 0) return
  const before = new Date(ctx.clock.now().getTime() - MAX_FAILING_MS)
  const disabled = await ctx.sql<Disabled[]>`
    update webhook_endpoint endpoint
    set status = 'disabled',
        disabled_reason =
          case when endpoint.id = any(${[...gone]}::uuid[]) then 'gone' else 'failing' end
    from app_user owner
    where owner.id = endpoint.user_id and endpoint.status = 'active'
      and (endpoint.id = any(${[...gone]}::uuid[])
           or (endpoint.id = any(${[...failing]}::uuid[]) and endpoint.failing_since <= ${before}))
    returning endpoint.id, endpoint.user_id, endpoint.url, endpoint.disabled_reason,
              owner.email, owner.lang`
  if (disabled.length === 0) return
  await cancelDeliveries(
    ctx,
    disabled.map(({ id }) => id),
  )
  for (const { email, lang, url, disabledReason: reason } of disabled) {
    if (email === null) continue
    const values = { url, reason }
    await queueMail(ctx, { to: email, lang, template: 'endpoint_disabled', values })
  }
  await notify(
    ctx,
    disabled.map(({ id, userId, url, disabledReason: reason }) => ({
      userId,
      type: 'webhook_disabled' as const,
      values: { url, reason },
      data: { webhookId: id },
    })),
  )
}
