import type { EndpointStatus } from '../../kernel/statuses.ts'
import type { Subscription } from '../../outbox/events.ts'
import type { Signing } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { openHeaders, type SealedKeys } from './sealed-keys.ts'

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
  userId: string
  url: string
  events: Subscription[]
  description: string | null
  status: EndpointStatus
  disabledReason: 'gone' | 'failing' | null
  failingSince: Date | null
  signing: Signing
  publicKey: string | null
  answeredAt: Date | null
  ratePerMinute: number | null
  ordered: boolean
  setByAdmin: boolean
  createdAt: Date
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
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
  signing: row.signing,
  publicKey: row.publicKey,
  previousSecretUntil:
    row.previousSecretUntil !== null && row.previousSecretUntil > clock.now()
      ? row.previousSecretUntil
      : null,
  headers: Object.keys(openHeaders(secrets, row.headersSealed)),
  ratePerMinute: row.ratePerMinute,
  ordered: row.ordered,
  createdAt: row.createdAt,
})
