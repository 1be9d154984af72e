import { z } from 'zod'
import { withTransaction } from '../../db/transaction.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { STANDARD_EVENTS } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { checkUrl, isTrusted } from './check-url.ts'
import { Description, Events, Headers, Ordered, RatePerMinute, Url } from './endpoint-fields.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'
import { newKey } from './new-keys.ts'
import { sealHeaders } from './sealed-keys.ts'

export const CreateEndpoint = z.strictObject({
  url: Url,
  events: Events.optional(),
  description: Description.optional(),
  signing: z.enum(['hmac', 'ed25519']).optional(),
  headers: Headers.optional(),
  ratePerMinute: RatePerMinute.optional(),
  ordered: Ordered.optional(),
})
export type CreateEndpoint = z.output<typeof CreateEndpoint>

export const MAX_ENDPOINTS = 20

/**
 * Creates an endpoint for the caller's events. Only this answer contains the secret. With a key
 * pair it is null, and `publicKey` verifies the signatures.
 *
 * @throws DomainError `unauthenticated`, `webhook_url_refused`, `webhook_limit_reached`
 */
export const createEndpoint = async (
  ctx: Context,
  input: CreateEndpoint,
): Promise<EndpointView & { secret: string | null }> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const url = checkUrl(ctx, input.url)
  const { events = [...STANDARD_EVENTS], signing = 'hmac', headers = {} } = input
  const key = newKey(ctx.secrets, signing)
  return withTransaction(ctx, async (ctx) => {
    const { sql, clock, secrets } = ctx
    await holdAccount(ctx)
    const now = clock.now()
    const [row] = await sql<EndpointRow[]>`
      insert into webhook_endpoint (id, user_id, url, description, events, signing, secret_sealed,
                                    public_key, headers_sealed, rate_per_minute, ordered,
                                    set_by_admin, answered_at, created_at)
      select ${newId(now.getTime())}, ${actor.userId}, ${url}, ${input.description ?? null},
             ${events}::text[], ${signing}, ${key.sealed}, ${key.publicKey},
             ${sealHeaders(secrets, headers)}, ${input.ratePerMinute ?? null}::int,
             ${input.ordered ?? false}::boolean, ${isAdmin(actor)}::boolean,
             ${isTrusted(ctx, url) ? now : null}::timestamptz, ${now}
      where (select count(*) from webhook_endpoint
             where user_id = ${actor.userId} and deleted_at is null) < ${MAX_ENDPOINTS}
      returning *`
    if (!row) {
      throw new DomainError(
        'webhook_limit_reached',
        `An account has at most ${MAX_ENDPOINTS} webhook endpoints.`,
      )
    }
    return { ...toEndpointView(ctx, row), secret: key.secret }
  })
}
