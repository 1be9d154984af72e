import type { Context } from '../../../db/context.ts'
import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { STANDARD_EVENTS } from '../../../outbox/events.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'
import { checkUrl, isTrusted } from './check-url.ts'
import { type EndpointView, toEndpointView } from './get-endpoint.ts'
import type { CreateEndpoint } from './schemas.ts'
import { newKey, sealHeaders } from './sealed-keys.ts'

export const MAX_ENDPOINTS = 20

/**
 * Creates an endpoint for the caller's events. No later answer contains `secret`. If the endpoint
 * signs with `ed25519`, `secret` is null, and receivers check signatures with `publicKey`.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `webhook_url_refused` if the URL is not
 *   allowed, `webhook_limit_reached` if the caller has MAX_ENDPOINTS endpoints
 */
export const createEndpoint = async (
  ctx: Context,
  input: CreateEndpoint,
): Promise<EndpointView & { secret: string | null }> => {
  const actor = requireUser(ctx)
  const url = checkUrl(ctx, input.url)
  const { events = [...STANDARD_EVENTS], signing = 'hmac', headers = {} } = input
  const key = newKey(ctx.secrets, signing)
  return withTransaction(ctx, async (ctx) => {
    const { sql, clock, secrets } = ctx
    await holdAccount(ctx)
    const now = clock.now()
    const [row] = await sql<WebhookEndpoint[]>`
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
