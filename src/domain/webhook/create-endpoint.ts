import { z } from 'zod'
import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { EVENT_TYPES, STANDARD_EVENTS } from '../../outbox/events.ts'
import {
  createAddressGuard,
  MAX_URL_LENGTH,
  newWebhookSecret,
  RefusedAddressError,
} from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { addressPolicy } from './address-policy.ts'
import { type EndpointRow, type EndpointView, toEndpointView } from './endpoint-view.ts'

export const CreateEndpoint = z.object({
  url: z.string().min(1).max(MAX_URL_LENGTH),
  events: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .max(EVENT_TYPES.length)
    .transform((types) => [...new Set(types)])
    .optional(),
  description: z.string().trim().max(200).optional(),
})
export type CreateEndpoint = z.output<typeof CreateEndpoint>

export const MAX_ENDPOINTS = 20

/**
 * Registers an address for the caller's events. The answer is the only one that holds the secret.
 *
 * @throws DomainError `unauthenticated`, `webhook_url_refused`, `webhook_limit_reached`
 */
export const createEndpoint = async (
  context: Context,
  input: CreateEndpoint,
): Promise<EndpointView & { secret: string }> => {
  const { actor } = context
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const url = checkUrl(context, input.url)
  const secret = newWebhookSecret()
  const events = input.events ?? [...STANDARD_EVENTS]
  return withTransaction(context, async ({ sql, clock, secrets }) => {
    // Holds other registrations of this user off until the count is settled.
    await sql`select from app_user where id = ${actor.userId} for no key update`
    const now = clock.now()
    const [row] = await sql<EndpointRow[]>`
      insert into webhook_endpoint (id, user_id, url, description, events, secret_sealed,
                                    created_at)
      select ${newId(now.getTime())}, ${actor.userId}, ${url}, ${input.description ?? null},
             ${events}::text[], ${secrets.seal(secret)}, ${now}
      where (select count(*) from webhook_endpoint
             where user_id = ${actor.userId} and deleted_at is null) < ${MAX_ENDPOINTS}
      returning *`
    if (!row) {
      throw new DomainError(
        'webhook_limit_reached',
        `An account has at most ${MAX_ENDPOINTS} webhook endpoints.`,
      )
    }
    return { ...toEndpointView(row), secret }
  })
}

const checkUrl = (context: Context, text: string): string => {
  try {
    const url = createAddressGuard(addressPolicy(context.settings)).checkUrl(text)
    if (url.origin === new URL(context.settings.publicUrl).origin) {
      throw new RefusedAddressError('The URL is one of this service.')
    }
    url.hash = ''
    return url.href
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error
    throw new DomainError('webhook_url_refused', error.message, [
      { path: 'url', message: error.message },
    ])
  }
}
