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
import { createDeliveryQueue } from '../delivery-queue.ts'
import { createGroups } from '../group-commit.ts'
import { createHandovers, type HandoverRoom } from '../handovers.ts'
import { createLoop, type Job } from '../loop.ts'
import { createUnderWay } from '../under-way.ts'
import { logAttempt, startAttemptSpan, tellAttempt } from './attempt-telemetry.ts'

export type DeliverOptions = {
  /** Attempts under way in this process; half as many again at endpoints that fail or are slow. */
  concurrency?: number
  /** Attempts under way at one endpoint: of what is claimed over all processes, else in this one. */
  perEndpoint?: number
  leaseMs?: number
  /** An endpoint that takes longer to answer is slow. */
  slowMs?: number
  sweepMs?: number
  /** Claimed at one endpoint that answers in time, under way or waiting for a place. */
  ahead?: number
}

/** How long `stop` lets attempts finish before it gives them up and their deliveries back. */
const GRACE_MS = 1_500
/** Of a lease: how long what is claimed ahead may wait. The rest is longer than an attempt can take. */
const WAIT_SHARE = 1 / 3
/** What the relay hands over waits in memory: so much for each place, and at one endpoint as claims do. */
const HANDED_MOST = 32
const HANDED_AHEAD = 4
/** How long what was handed over and arrived waits for others to be recorded with. */
const GATHER_MS = 20
/** How long a claim lets what was handed over go first, which costs nobody a statement. */
const YIELD_MS = 50

/** An attempt that has a result, and what was claimed for its endpoint and is not to be sent now. */
type Attempted = AttemptResult & { delivery: ClaimedDelivery; refused: ClaimedDelivery[] }

/**
 * Delivers events to webhook endpoints, at least once. There are no batches to wait for: each
 * attempt that ends frees its place, and whoever is next in turn is claimed for it. Receivers that
 * fail or are slow have places of their own, so that any number of them takes nobody else's time.
 */
export const createDeliverWebhooksJob = (
  ctx: Context,
  deliverer: Deliverer,
  options: DeliverOptions = {},
): Job & { wake(): void; handovers: HandoverRoom } => {
  const { concurrency = 64, perEndpoint = 8, leaseMs = 30_000, sweepMs = 1_000 } = options
  const { slowMs = 1_000, ahead = 8 * perEndpoint } = options
  const mostWaiting = 8 * concurrency
  /** Answered and not yet recorded included. */
  const mostUnderWay = 32 * concurrency
  const queue = createDeliveryQueue(perEndpoint)
  const underWay = createUnderWay<ClaimedDelivery>()
  const givenUp: ClaimedDelivery[] = []
  /** Attempts at what was handed over, by endpoint: claims cannot see them. */
  const handed = new Map<string, number>()
  const countHanded = (endpointId: string, by: 1 | -1): void => {
    const count = (handed.get(endpointId) ?? 0) + by
    if (count === 0) handed.delete(endpointId)
    else handed.set(endpointId, count)
  }
  let claimedLastAt = Number.NEGATIVE_INFINITY
  let _yielding: NodeJS.Timeout | undefined
  const places = createDeliveryPlaces({
    concurrency,
    slowMs,
    onFree() {
      for (const endpointId of places.slow()) void giveBack(queue.remove(endpointId))
      startWaiting()
      loop.wake()
    },
  })
  const givingUp = new AbortController()
  const grouped = (gatherMs: number) =>
    createGroups<Attempted>(
      (attempts) => recordAttempts(ctx, attempts),
      { maxItems: 500, maxTries: 5, retryMs: 200, gatherMs },
      (attempts, error) => {
        for (const each of attempts) recorded(each, error)
        startWaiting()
        handovers.tellRoom()
        if (queue.size().claimed < mostWaiting / 2 && attempts.some(wasClaimed)) loop.wake()
      },
    )
  const recordArrived = grouped(GATHER_MS)
  // Others wait for it: the next one in order, or whoever is due by the rate.
  const recordOther = grouped(0)

  const recorded = ({ delivery, result, refused }: Attempted, error: unknown): void => {
    underWay.delete(delivery)
    if (refused.length > 0) void giveBack(refused)
    if (error === undefined) {
      if (delivery.handed) void handovers.done(delivery)
      logAttempt(ctx, delivery, result)
    } else {
      tellLost(delivery, error)
    }
  }

  const tellLost = (delivery: ClaimedDelivery, error: unknown): void => {
    const { id: deliveryId, endpointId, eventId, requestId } = delivery
    const ids = { deliveryId, endpointId, eventId, requestId }
    ctx.log.warn({ ...ids, reason: messageOf(error) }, 'an attempt could not be recorded')
  }

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const { endpointId, troubled } = delivery
    const place = places.take(delivery)
    if (delivery.handed) countHanded(endpointId, 1)
    try {
      const span = startAttemptSpan(ctx, delivery)
      const { traceParent } = span
      const traced = traceParent === delivery.traceParent ? delivery : { ...delivery, traceParent }
      const result = await deliverer.deliver(traced, givingUp.signal)
      tellAttempt(ctx, delivery, result, span)
      // crash point W2: sent, not recorded; its lease ends and it is sent again, with the same id.
      crashPoint('W2')
      const arrived = result.errorKind === null
      // What was claimed ahead for an endpoint that fails is claimed again, in its other room.
      const refused = arrived ? [] : queue.remove(endpointId)
      const record = delivery.handed && arrived ? recordArrived : recordOther
      record({ delivery, result, refused })
    } catch (error) {
      if (givingUp.signal.aborted) givenUp.push(delivery)
      else tellLost(delivery, error)
      underWay.delete(delivery)
    } finally {
      place.answered()
      place.leave()
      if (delivery.handed) countHanded(endpointId, -1)
      if (!troubled) queue.ended(endpointId)
      startWaiting()
    }
  }

  const begin = (delivery: ClaimedDelivery): void => {
    underWay.add(delivery)
    void attempt(delivery)
  }

  /** Starts what waits, as far as there are places, and while the lease covers an attempt. */
  const startWaiting = (): void => {
    while (!givingUp.signal.aborted && places.free().prompt > 0 && underWay.size < mostUnderWay) {
      const delivery = queue.next(performance.now())
      if (!delivery) return
      begin(delivery)
    }
  }

  /** Leaves deliveries to whoever claims them next. */
  const release = async (deliveries: readonly ClaimedDelivery[]): Promise<void> => {
    const claimed = deliveries.filter(({ handed }) => !handed)
    if (claimed.length > 0) await releaseDeliveries(ctx, claimed)
    await handovers.keep(deliveries.filter(({ handed }) => handed))
  }

  const giveBack = async (deliveries: readonly ClaimedDelivery[]): Promise<void> => {
    if (deliveries.length === 0) return
    try {
      await release(deliveries)
      loop.wake()
    } catch (error) {
      // Their lease ends.
      ctx.log.warn({ reason: messageOf(error) }, 'deliveries could not be given back')
    }
  }

  const handovers = createHandovers(ctx, {
    leaseMs,
    most: HANDED_MOST * concurrency,
    waiting: () => queue.size().handed,
    roomFor: (endpointId) =>
      places.isSlow(endpointId) ? 0 : HANDED_AHEAD * ahead - queue.waitingFor(endpointId),
    add(deliveries, takenAt) {
      queue.add(deliveries, takenAt + leaseMs * WAIT_SHARE)
      startWaiting()
    },
  })

  /** Fills the free places with whatever is due, and does not wait for any of it. */
  const claim = async (): Promise<void> => {
    const yieldMs = claimedLastAt + YIELD_MS - performance.now()
    if (yieldMs > 0 && queue.size().handed > 0) {
      _yielding ??= setTimeout(() => {
        _yielding = undefined
        loop.wake()
      }, yieldMs).unref()
      return
    }
    claimedLastAt = performance.now()
    const { prompt, troubled } = places.free()
    const limit = Math.min(prompt, mostWaiting) + mostWaiting - queue.size().claimed
    if (limit + troubled <= 0) return
    const claimedAt = performance.now()
    const claimed = await claimDeliveries(ctx, {
      limit: Math.max(0, limit),
      perEndpoint,
      ahead,
      leaseMs,
      troubled: { limit: troubled, slow: places.slow() },
      handed,
    })
    // crash point W1: claimed, not sent; its lease ends.
    if (claimed.length > 0) crashPoint('W1')
    for (const delivery of claimed) {
      if (delivery.troubled) begin(delivery)
      if (delivery.nextSlotAt) nextSlot.at(delivery.nextSlotAt)
    }
    const waiting = claimed.filter(({ troubled }) => !troubled)
    queue.add(waiting, claimedAt + leaseMs * WAIT_SHARE)
    startWaiting()
  }

  const nextSlot = createAlarm(ctx.clock, () => loop.wake())
  const loop = createLoop({
    name: 'deliver-webhooks',
    run: claim,
    sweepMs,
    log: ctx.log,
  })
  return {
    name: 'deliver-webhooks',
    async run() {
      await claim()
      while (underWay.size > 0) {
        await underWay.less()
        await claim()
      }
    },
    start: () => loop.start(),
    async stop() {
      nextSlot.stop()
      await Promise.all([loop.stop(), within(handovers.stop(), GRACE_MS)])
      const unsent = queue.remove()
      const timer = setTimeout(() => givingUp.abort(), GRACE_MS)
      await within(underWay.none(), GRACE_MS + 300)
      clearTimeout(timer)
      const left = [...unsent, ...givenUp, ...underWay.values()]
      if (left.length > 0) await within(release(left), 500)
      await deliverer.close()
    },
    wake: () => loop.wake(),
    handovers: handovers.taker,
  }
}

const wasClaimed = ({ delivery }: Attempted): boolean => !delivery.handed

/** Waits for `work`, but no longer than that, and not for its success. */
const within = async (work: Promise<unknown>, timeoutMs: number): Promise<void> => {
  const timer = new AbortController()
  await Promise.race([
    work.catch(() => {}),
    delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
}
