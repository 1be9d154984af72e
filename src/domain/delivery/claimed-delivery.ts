import type { WebhookDelivery, WebhookEndpoint } from '../../db/schema/events.ts'
import type { Delivery, DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { openHeaders, openSigners, type SealedKeys } from '../webhook/index.ts'

/** A delivery that only this worker may attempt until its lease ends. */
export type ClaimedDelivery = Delivery & {
  /** Whether the event is a test that the endpoint's owner requested. */
  test: boolean
  /** Fencing token: a result is ignored if its lease was lost. */
  lease: string
  /** Whether the delivery was claimed in the lane for degraded (failing or slow) endpoints. */
  degraded: boolean
} & Pick<WebhookDelivery, 'id' | 'endpointId' | 'attempts' | 'scheduleAttempts'>

/** An attempt at a claimed delivery, and its result. */
export type AttemptResult = { delivery: ClaimedDelivery; result: DeliveryResult }

/** The columns of an endpoint that a delivery attempt needs. */
export type EndpointKeys = Pick<WebhookEndpoint, 'url' | keyof SealedKeys>

export type OpenEndpoint = Pick<Delivery, 'url' | 'signers' | 'headers'>

/** Decrypts the signing keys and the headers of an endpoint. */
export const openEndpoint = ({ secrets, clock }: Context, keys: EndpointKeys): OpenEndpoint => ({
  url: keys.url,
  signers: openSigners(secrets, keys, clock.now()),
  headers: openHeaders(secrets, keys.headersSealed),
})
