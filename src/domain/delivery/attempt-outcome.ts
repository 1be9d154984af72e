import type { DeliveryResult } from '../../webhooks/index.ts'
import { retryPauseMs } from './retry-schedule.ts'

/** An attempt in the form of `webhook_delivery.attempt_log`. */
export type StoredAttempt = {
  startedAt: string
  durationMs: number
  statusCode: number | null
  errorKind: string | null
  responseBody: string | null
}

export type Outcome = {
  status: 'pending' | 'delivered' | 'exhausted' | 'cancelled'
  nextAttemptAt: Date | null
  deliveredAt: Date | null
}

/** HTTP 410: the receiver asks us to stop (Standard Webhooks, "Deliverability"). */
export const GONE = 410

/**
 * The state of a delivery after an attempt: delivered, due again by the schedule, or given up.
 *
 * @param attempt its number in the schedule, from 1
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
