import type { WebhookDelivery } from '../../../db/schema/events.ts'
import type { DeliveryResult } from '../../../webhooks/index.ts'

type Nullable = 'statusCode' | 'errorKind' | 'responseBody'

/** The form in which `webhook_delivery.attempt_log` stores an attempt, without fields with null. */
export type StoredAttempt = Pick<DeliveryResult, 'durationMs'> &
  Partial<Pick<DeliveryResult, Nullable>> & { startedAt: string }

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The pauses of the retry schedule: after the first failed attempt, the second, and so on. */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
]
const JITTER = 0.2

/**
 * Returns the pause after a failed attempt: the time in the receiver's `Retry-After`, but at least
 * the scheduled pause and at most twice this pause. Without `Retry-After`, returns the scheduled
 * pause, changed at random by up to a fifth, so that retries are spread.
 *
 * @param attempt the number of the failed attempt, from 1
 * @param random a random number in [0, 1)
 * @returns milliseconds, or undefined after the last attempt
 */
export const retryPauseMs = (
  attempt: number,
  retryAfterMs: number | null,
  random: number,
): number | undefined => {
  const baseMs = RETRY_PAUSES_MS[attempt - 1]
  if (baseMs === undefined) return undefined
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, baseMs), 2 * baseMs)
  return Math.round(baseMs * (1 - JITTER + 2 * JITTER * random))
}

type Outcome = Pick<WebhookDelivery, 'status' | 'nextAttemptAt' | 'deliveredAt'>

/** HTTP 410 means: send no more webhooks (Standard Webhooks, "Deliverability"). */
export const GONE = 410

/**
 * Returns the state of a delivery after an attempt: `delivered`, `cancelled` after HTTP 410,
 * `exhausted` after the last attempt of the schedule, otherwise `pending` until the next attempt.
 *
 * @param attempt the attempt's number in the schedule, from 1
 */
export const outcomeOf = (attempt: number, result: DeliveryResult, now: Date): Outcome => {
  const ended = { nextAttemptAt: null, deliveredAt: null }
  if (result.errorKind === null) return { status: 'delivered', ...ended, deliveredAt: now }
  if (result.statusCode === GONE) return { status: 'cancelled', ...ended }
  const pauseMs = retryPauseMs(attempt, result.retryAfterMs, Math.random())
  if (pauseMs === undefined) return { status: 'exhausted', ...ended }
  const nextAttemptAt = new Date(now.getTime() + pauseMs)
  return { status: 'pending', nextAttemptAt, deliveredAt: null }
}
