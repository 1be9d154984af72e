import type { Delivery, DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { openHeaders, openSigners, type SealedKeys } from '../webhook/index.ts'

/** A delivery that only this worker may attempt until its lease ends. */
export type ClaimedDelivery = Delivery & {
  id: string
  endpointId: string
  /** A test event that the owner requested. */
  test: boolean
  /** Fencing token: a result recorded under a lost lease is ignored. */
  lease: string
  /** Attempts made before this one. */
  attempts: number
  /** Attempts since it was created or resent: its position in the retry schedule. */
  scheduleAttempts: number
  /** Whether it was claimed in the lane for degraded endpoints (failing or slow). */
  degraded: boolean
}

/** An attempt at a claimed delivery, and its result. */
export type AttemptResult = { delivery: ClaimedDelivery; result: DeliveryResult }

/** The columns of an endpoint that a dispatch needs. */
export type EndpointKeys = { id: string; url: string } & SealedKeys

export type OpenEndpoint = Pick<Delivery, 'url' | 'signers' | 'headers'>

/** Decrypts the keys of endpoints, once per endpoint however many rows name it. */
export const openEndpoints = (
  { secrets, clock }: Context,
  rows: readonly EndpointKeys[],
): Map<string, OpenEndpoint> => {
  const now = clock.now()
  const opened = new Map<string, OpenEndpoint>()
  for (const row of rows) {
    if (opened.has(row.id)) continue
    const signers = openSigners(secrets, row, now)
    opened.set(row.id, { url: row.url, signers, headers: openHeaders(secrets, row.headersSealed) })
  }
  return opened
}
