import { z } from 'zod'
import { onCommit, withTransaction } from '../../db/transaction.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { cancelForeignDeliveries } from './cancel-deliveries.ts'
import { checkUrl, isTrusted } from './check-url.ts'
import { Description, Events, Headers, Ordered, RatePerMinute, Url } from './endpoint-fields.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'
import { lockEndpoint } from './get-endpoint.ts'
import { sealHeaders } from './sealed-keys.ts'

export const ChangeEndpoint = z.strictObject({
  url: Url.optional(),
  events: Events.optional(),
  description: Description.nullable().optional(),
  headers: Headers.optional(),
  ratePerMinute: RatePerMinute.nullable().optional(),
  ordered: Ordered.optional(),
  status: z
    .enum(['active', 'paused'])
    .meta({
      description:
        '`paused` lets events wait, for 90 days at most; `active` sends them, and enables a disabled endpoint.',
    })
    .optional(),
})
export type ChangeEndpoint = z.output<typeof ChangeEndpoint>

/**
 * Changes the given fields of an endpoint; `headers` replaces all of them. Attempts in flight are
 * not affected. A new address or status resets its record of failures.
 *
 * - An administrator may change only the status of another user's endpoint.
 * - A change by an owner without administrator's rights, such as a key, ends access to all events.
 *
 * @throws DomainError `not_found`, `forbidden`, `webhook_url_refused`, `invalid_input` for another
 *   origin without `headers`
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
    if (Object.values(rest).some((value) => value !== undefined)) refuseStranger(ctx, row)
    const changed = await write(ctx, row, input)
    if (row.setByAdmin && !changed.setByAdmin) {
      await cancelForeignDeliveries(ctx, ctx.sql`endpoint.id = ${row.id}`)
    }
    onCommit(ctx, () => ctx.wake('deliveries'))
    return toEndpointView(ctx, changed)
  })

const isOwner = ({ actor }: Context, row: EndpointRow): boolean =>
  actor.kind === 'user' && actor.userId === row.userId

const refuseStranger = (ctx: Context, row: EndpointRow): void => {
  if (isOwner(ctx, row)) return
  throw new DomainError(
    'forbidden',
    'Only its owner may change more of an endpoint than its status.',
  )
}

const write = async (
  ctx: Context,
  row: EndpointRow,
  input: ChangeEndpoint,
): Promise<EndpointRow> => {
  const { sql, secrets, actor } = ctx
  const url = input.url === undefined ? row.url : checkUrl(ctx, input.url)
  if (input.headers === undefined) refuseToMoveHeaders(row, url)
  const headers =
    input.headers === undefined ? row.headersSealed : sealHeaders(secrets, input.headers)
  const status = input.status ?? row.status
  const anew = url !== row.url || status !== row.status
  const rate = input.ratePerMinute === undefined ? row.ratePerMinute : input.ratePerMinute
  const [changed] = await sql<EndpointRow[]>`
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

/** The first answer; null for an address on another origin, which has to answer first. */
const answeredAt = (ctx: Context, row: EndpointRow, url: string): Date | null => {
  if (isTrusted(ctx, url)) return row.answeredAt ?? ctx.clock.now()
  return new URL(url).origin === new URL(row.url).origin ? row.answeredAt : null
}

/** Header values are secret, so they do not move to another origin without the owner's request. */
const refuseToMoveHeaders = (row: EndpointRow, url: string): void => {
  if (row.headersSealed === null || new URL(url).origin === new URL(row.url).origin) return
  const message = 'Give the headers to send to the new origin; {} for none.'
  throw new DomainError('invalid_input', message, [{ path: 'headers', message }])
}
