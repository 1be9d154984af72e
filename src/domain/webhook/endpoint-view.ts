import type { Subscription } from '../../outbox/events.ts'
import type { Signing } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { openHeaders, type SealedKeys } from './sealed-keys.ts'

export type EndpointStatus = 'active' | 'paused' | 'disabled'

export type EndpointView = {
  id: string
  url: string
  events: Subscription[]
  description: string | null
  /** `paused`: its events wait. `disabled`: no events are kept for it. */
  status: EndpointStatus
  /** `gone`: it answered 410. `failing`: no delivery has succeeded for five days. */
  disabledReason: 'gone' | 'failing' | null
  /** The time since when every attempt has failed. */
  failingSince: Date | null
  signing: Signing
  /** `whpk_`; null for a shared secret. */
  publicKey: string | null
  /** The time until which the key before the last rotation also signs. */
  previousSecretUntil: Date | null
  /** The names of the additional headers. */
  headers: string[]
  ratePerMinute: number | null
  ordered: boolean
  createdAt: Date
}

export type EndpointRow = SealedKeys & {
  id: string
  user_id: string
  url: string
  events: Subscription[]
  description: string | null
  status: EndpointStatus
  disabled_reason: 'gone' | 'failing' | null
  failing_since: Date | null
  signing: Signing
  public_key: string | null
  answered_at: Date | null
  rate_per_minute: number | null
  ordered: boolean
  set_by_admin: boolean
  created_at: Date
}

/** The owner's view of an endpoint, without secrets. */
export const toEndpointView = (
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  row: EndpointRow,
): EndpointView => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  status: row.status,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  signing: row.signing,
  publicKey: row.public_key,
  previousSecretUntil:
    row.previous_secret_until !== null && row.previous_secret_until > clock.now()
      ? row.previous_secret_until
      : null,
  headers: Object.keys(openHeaders(secrets, row.headers_sealed)),
  ratePerMinute: row.rate_per_minute,
  ordered: row.ordered,
  createdAt: row.created_at,
})
