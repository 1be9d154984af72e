import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/domain/context.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  recordAttempts,
  releaseDeliveries,
} from '../../src/domain/webhook/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import type { Deliverer } from '../../src/webhooks/index.ts'
import { createAlarm } from '../alarm.ts'
import { crashPoint } from '../crash-points.ts'
import { createDeliveryPlaces } from '../delivery-places.ts'
import { createGroupCommit } from '../group-commit.ts'
import { createLoop, type Job } from '../loop.ts'
import { startAttemptSpan, tellAttempt } from './attempt-telemetry.ts'

export type DeliverOptions = {
  /** Attempts under way in this process; half as many again at endpoints that fail or are slow. */
  concurrency?: number
  /** Attempts under way at one endpoint, over all processes. */
  perEndpoint?: number
  leaseMs?: number
  /** An endpoint that takes longer to answer is slow. */
  slowMs?: number
  sweepMs?: number
}

/** How long `stop` lets attempts finish before it gives them up and their deliveries back. */
const GRACE_MS = 1_500

/**
 * Delivers events to webhook endpoints, at least once. There are no batches to wait for: each
 * attempt that ends frees its place, and whoever is next in turn is claimed for it. Receivers that
 * fail or are slow have places of their own, so that any number of them takes nobody else's time.
 */
export const createDeliverWebhooksJob = (
  ctx: Context,
  deliverer: Deliverer,
  options: DeliverOptions = {},
): Job & { wake(): void } => {
  const { concurrency = 64, perEndpoint = 8, leaseMs = 20_000, sweepMs = 1_000 } = options
  const { slowMs = 1_000 } = options
  const underWay = new Map<ClaimedDelivery, Promise<void>>()
  const places = createDeliveryPlaces({ concurrency, slowMs, onFree: () => loop.wake() })
  const givingUp = new AbortController()
  const record = createGroupCommit<AttemptResult>((attempts) => recordAttempts(ctx, attempts), {
    maxItems: 100,
    maxTries: 5,
    retryMs: 200,
  })

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const place = places.take(delivery)
    const log = ctx.log.child({
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      eventId: delivery.eventId,
      requestId: delivery.requestId,
    })
    try {
      const span = startAttemptSpan(ctx, delivery)
      const { traceParent } = span
      const result = await deliverer
        .deliver({ ...delivery, traceParent }, givingUp.signal)
        .finally(place.answered)
      tellAttempt(ctx, delivery, result, span)
      // crash point W2: sent, not recorded; its lease ends and it is sent again, with the same id.
      crashPoint('W2')
      await record({ delivery, result })
      const { statusCode, errorKind, durationMs } = result
      log.info({ attempt: delivery.attempts + 1, statusCode, errorKind, durationMs }, 'webhook')
    } catch (error) {
      if (givingUp.signal.aborted) return
      log.warn({ reason: messageOf(error) }, 'an attempt could not be recorded')
    }
    underWay.delete(delivery)
    place.leave()
    loop.wake()
  }

  /** Fills the free places with whatever is due, and does not wait for any of it. */
  const claim = async (): Promise<void> => {
    const { prompt, troubled } = places.free()
    if (prompt + troubled === 0) return
    const claimed = await claimDeliveries(ctx, {
      limit: prompt,
      perEndpoint,
      leaseMs,
      troubled: { limit: troubled, slow: places.slow() },
    })
    // crash point W1: claimed, not sent; its lease ends.
    if (claimed.length > 0) crashPoint('W1')
    for (const delivery of claimed) {
      underWay.set(delivery, attempt(delivery))
      if (delivery.nextSlotAt) nextSlot.at(delivery.nextSlotAt)
    }
  }

  const nextSlot = createAlarm(ctx.clock, () => loop.wake())
  const loop = createLoop({ name: 'deliver-webhooks', run: claim, sweepMs, log: ctx.log })
  return {
    name: 'deliver-webhooks',
    async run() {
      await claim()
      while (underWay.size > 0) {
        await Promise.race(underWay.values())
        await claim()
      }
    },
    start: () => loop.start(),
    async stop() {
      nextSlot.stop()
      await loop.stop()
      const finished = Promise.all(underWay.values())
      const timer = setTimeout(() => givingUp.abort(), GRACE_MS)
      await within(finished, GRACE_MS + 300)
      clearTimeout(timer)
      const left = [...underWay.keys()]
      if (left.length > 0) await within(releaseDeliveries(ctx, left), 500)
      await deliverer.close()
    },
    wake: () => loop.wake(),
  }
}

/** Waits for `work`, but no longer than that, and not for its success. */
const within = async (work: Promise<unknown>, timeoutMs: number): Promise<void> => {
  const timer = new AbortController()
  await Promise.race([
    work.catch(() => {}),
    delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
}
