import type { Delivery, DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { openHeaders, openSigners, type SealedKeys } from '../webhook/index.ts'

/** A delivery that this worker alone may attempt, until its lease ends. */
export type ClaimedDelivery = Delivery & {
  id: string
  endpointId: string
  /** A sample that the owner asked for. */
  test: boolean
  /** Fences: a result that is recorded under a lost lease is ignored. */
  lease: string
  /** Attempts made before this one. */
  attempts: number
  /** Attempts since it was made or sent again: its position in the retry schedule. */
  scheduleAttempts: number
  /** Whether it takes one of the places for endpoints that fail or are slow. */
  troubled: boolean
}

/** An attempt at a claimed delivery, and its result. */
export type AttemptResult = { delivery: ClaimedDelivery; result: DeliveryResult }

/** An endpoint as a statement reads it to send something to it. */
export type EndpointKeys = { id: string; url: string } & SealedKeys

export type OpenEndpoint = Pick<Delivery, 'url' | 'signers' | 'headers'>

/** Opens the keys of endpoints, each endpoint once however many rows name it. */
export const openEndpoints = (
  { secrets, clock }: Context,
  rows: readonly EndpointKeys[],
): Map<string, OpenEndpoint> => {
  const now = clock.now()
  const opened = new Map<string, OpenEndpoint>()
  for (const row of rows) {
    if (opened.has(row.id)) continue
    const signers = openSigners(secrets, row, now)
    opened.set(row.id, { url: row.url, signers, headers: openHeaders(secrets, row.headers_sealed) })
  }
  return opened
}
