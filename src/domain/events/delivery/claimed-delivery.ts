import type { Context } from '../../../db/context.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../../db/schema/events.ts'
import type { Delivery, DeliveryResult } from '../../../webhooks/index.ts'
import { openHeaders, openSigners, type SealedKeys } from '../webhook/sealed-keys.ts'

/** A delivery that only this worker may attempt until its lease ends. */
export type ClaimedDelivery = Delivery & {
  /** Whether the event is a test that the endpoint's owner requested. */
  test: boolean
  /** The id of the lease. A result is stored only if the delivery still has this lease. */
  lease: string
  /** Whether the delivery was claimed in the lane for degraded (failing or slow) endpoints. */
  degraded: boolean
} & Pick<WebhookDelivery, 'id' | 'endpointId' | 'attempts' | 'scheduleAttempts'>

/** An attempt at a claimed delivery, and its result. */
export type AttemptResult = { delivery: ClaimedDelivery; result: DeliveryResult }

export type EndpointKeys = Pick<WebhookEndpoint, 'url' | keyof SealedKeys>

export type OpenEndpoint = Pick<Delivery, 'url' | 'signers' | 'headers'>

export const openEndpoint = ({ secrets, clock }: Context, keys: EndpointKeys): OpenEndpoint => ({
  url: keys.url,
  signers: openSigners(secrets, keys, clock.now()),
  headers: openHeaders(secrets, keys.headersSealed),
})
