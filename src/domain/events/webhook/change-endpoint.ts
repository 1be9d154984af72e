import type { Context } from '../../../db/context.ts'
import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount } from '../../shared/index.ts'
import { checkUrl, isTrusted } from './check-url.ts'
import { cancelForeignDeliveries } from './end-endpoints.ts'
import { type EndpointView, lockEndpoint, toEndpointView } from './get-endpoint.ts'
import type { ChangeEndpoint } from './schemas.ts'
import { sealHeaders } from './sealed-keys.ts'

/**
 * Changes the given fields of an endpoint. If `headers` is given, it replaces all headers. Requests
 * that are being sent are not affected. A new URL or status clears `failingSince`.
 *
 * - An administrator may change only the status of another user's endpoint.
 * - An administrator's endpoint gets the events of all users. After a change without administrator
 *   rights (for example, with an API key), the endpoint gets only its owner's events.
 *
 * @throws DomainError `not_found` for an unknown endpoint; `forbidden` if an administrator changes
 * more than the status; `webhook_url_refused` if the URL is not allowed; `invalid_input` if the URL
 * has a new origin, the endpoint has headers, and the input has no `headers`
 */
export const changeEndpoint = (
  ctx: Context,
  id: string,
  input: ChangeEndpoint,
): Promise<EndpointView> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const row = await lockEndpoint(ctx, id)
    const { status, ...rest } = input
    if (!isOwner(ctx, row) && Object.values(rest).some((value) => value !== undefined)) {
      throw new DomainError(
        'forbidden',
        'Only its owner may change more of an endpoint than its status.',
      )
    }
    const changed = await write(ctx, row, input)
    if (row.setByAdmin && !changed.setByAdmin) {
      await cancelForeignDeliveries(ctx, ctx.sql`endpoint.id = ${row.id}`)
    }
    onCommit(ctx, () => ctx.wake('deliveries'))
    return toEndpointView(ctx, changed)
  })

const isOwner = ({ actor }: Context, row: WebhookEndpoint): boolean =>
  actor.kind === 'user' && actor.userId === row.userId

const write = async (
  ctx: Context,
  row: WebhookEndpoint,
  input: ChangeEndpoint,
): Promise<WebhookEndpoint> => {
  const { sql, secrets, actor } = ctx
  const url = input.url === undefined ? row.url : checkUrl(ctx, input.url)
  if (input.headers === undefined) refuseToMoveHeaders(row, url)
  const headers =
    input.headers === undefined ? row.headersSealed : sealHeaders(secrets, input.headers)
  const status = input.status ?? row.status
  const anew = url !== row.url || status !== row.status
  const rate = input.ratePerMinute === undefined ? row.ratePerMinute : input.ratePerMinute
  const [changed] = await sql<WebhookEndpoint[]>`
    update webhook_endpoint
    set url = ${url}, events = ${input.events ?? row.events}::text[],
        description = ${input.description === undefined ? row.description : input.description},
        headers_sealed = ${headers}, ordered = ${input.ordered ?? row.ordered},
        rate_per_minute = ${rate},
        next_slot_at = case when ${rate === row.ratePerMinute} then next_slot_at end,
        set_by_admin = ${isOwner(ctx, row) ? isAdmin(actor) : row.setByAdmin},
        status = ${status},
        disabled_reason = ${status === 'disabled' ? row.disabledReason : null},
        failing_since = ${anew ? null : row.failingSince},
        answered_at = ${answeredAt(ctx, row, url)}
    where id = ${row.id}
    returning *`
  return changed ?? row
}

/** The time of the URL's first answer. A new origin has not answered yet, so its time is null. */
const answeredAt = (ctx: Context, row: WebhookEndpoint, url: string): Date | null => {
  if (isTrusted(ctx, url)) return row.answeredAt ?? ctx.clock.now()
  return new URL(url).origin === new URL(row.url).origin ? row.answeredAt : null
}

/** Refuses to send the stored headers to a new origin, because header values are secret. */
const refuseToMoveHeaders = (row: WebhookEndpoint, url: string): void => {
  if (row.headersSealed === null || new URL(url).origin === new URL(row.url).origin) return
  const message = 'Give the headers to send to the new origin; {} for none.'
  throw new DomainError('invalid_input', message, [{ path: 'headers', message }])
}
