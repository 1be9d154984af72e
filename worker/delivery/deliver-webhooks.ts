import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/db/context.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  recordAttempts,
  relayEvents,
  releaseDeliveries,
} from '../../src/domain/events/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import type { Deliverer } from '../../src/webhooks/index.ts'
import { createAlarm } from '../alarm.ts'
import { crashPoint } from '../crash-points.ts'
import { createLoop, type Job } from '../loop.ts'
import { logAttempt, recordTelemetry, startAttemptSpan } from './attempt-telemetry.ts'
import { createGroupCommit } from './group-commit.ts'
import { createDeliveryQueue, type Ticket } from './queue.ts'
import { createDeliverySlots } from './slots.ts'

export type DeliverOptions = {
  /**
   * The most attempts at the same time to healthy endpoints, in this process. Endpoints that fail
   * or are slow have half as many slots, which are separate.
   */
  concurrency?: number
  /**
   * The most attempts at the same time per endpoint. For new deliveries, the limit applies to each
   * process separately. For all other deliveries, it applies to all processes together.
   */
  perEndpoint?: number
  leaseMs?: number
  /** An endpoint counts as slow if an attempt takes longer than `slowMs`. */
  slowMs?: number
  sweepMs?: number
}

/** A job with two wake-ups: for new events and for due deliveries. */
type DeliverJob = Job & { wakeEvents(): void; wakeDeliveries(): void }

/** The number of events that are read at once. */
const EVENTS = 100
/** The most new deliveries that wait per slot. After a crash, they wait until their leases end. */
const FRESH_PER_SLOT = 32
/** The time that `stop` waits for attempts before it aborts them and releases their deliveries. */
const GRACE_MS = 1_500
/** The part of a lease for which a delivery may wait. The rest is for the attempt. */
const WAIT_SHARE = 1 / 3
const GROUPS = { maxItems: 500, maxTries: 5, retryMs: 200 }

/**
 * Delivers events to webhook endpoints, at least once:
 *
 * - New events become deliveries. If an endpoint is healthy, its new deliveries start directly.
 * - All other deliveries are read from the database when they are due.
 * - Deliveries to healthy endpoints wait in one queue, in which the endpoints take turns.
 * - Endpoints that fail or are slow have separate slots.
 */
export const createDeliverWebhooksJob = (
  ctx: Context,
  deliverer: Deliverer,
  options: DeliverOptions = {},
): DeliverJob => {
  const { concurrency = 64, perEndpoint = 8, leaseMs = 30_000 } = options
  const { slowMs = 1_000, sweepMs = 1_000 } = options
  const mostFresh = FRESH_PER_SLOT * concurrency
  const queue = createDeliveryQueue(perEndpoint)
  /** The attempts whose result is not recorded yet, by delivery. */
  const attempts = new Map<ClaimedDelivery, Promise<void>>()
  const aborting = new AbortController()
  const capacityForNew = (): number => mostFresh - queue.waiting().fresh
  let waitsForCapacity = false

  const slots = createDeliverySlots({
    concurrency,
    slowMs,
    onFree() {
      for (const endpointId of slots.slow()) void release(queue.remove(endpointId))
      startWaiting()
      claims.wake()
    },
  })

  const record = createGroupCommit<AttemptResult>((group) => recordAttempts(ctx, group), GROUPS)

  const attempt = async ({ delivery, isNew }: Ticket): Promise<void> => {
    const slot = slots.take(delivery)
    try {
      const span = startAttemptSpan(ctx, delivery)
      const { traceParent } = span
      const traced = traceParent === delivery.traceParent ? delivery : { ...delivery, traceParent }
      const result = await deliverer.deliver(traced, aborting.signal).finally(() => {
        slot.answered()
        slot.release()
        if (!delivery.degraded) queue.ended(delivery.endpointId)
      })
      recordTelemetry(ctx, delivery, result, span)
      // crash point W2: a delivery is sent, its result is not recorded. It is sent again later.
      crashPoint('W2')
      // The endpoint fails. Releases its waiting deliveries, because they need a degraded slot now.
      if (result.errorKind !== null) void release(queue.remove(delivery.endpointId))
      startWaiting()
      await record({ delivery, result })
      logAttempt(ctx, delivery, result)
    } catch (error) {
      if (aborting.signal.aborted) return
      // The delivery is sent again after its lease.
      logLost(ctx, delivery, error)
    }
    // Another delivery to this endpoint can be claimed now.
    if (!isNew) claims.wake()
  }

  const begin = (ticket: Ticket): void => {
    const { delivery } = ticket
    const ended = attempt(ticket).finally(() => {
      // Aborted attempts stay in `attempts`, because `stop` releases their deliveries.
      if (!aborting.signal.aborted) attempts.delete(delivery)
    })
    attempts.set(delivery, ended)
  }

  const idle = async (): Promise<void> => {
    while (!aborting.signal.aborted && attempts.size > 0) await Promise.all(attempts.values())
  }

  /** Starts waiting deliveries in free slots. Releases deliveries that have waited too long. */
  const startWaiting = (): void => {
    const now = performance.now()
    while (!aborting.signal.aborted && slots.free().healthy > 0) {
      const ticket = queue.next()
      if (!ticket) break
      if (ticket.startBy >= now) begin(ticket)
      else {
        const { endpointId } = ticket.delivery
        queue.ended(endpointId)
        void release([ticket, ...queue.remove(endpointId)])
      }
    }
    if (waitsForCapacity && capacityForNew() >= mostFresh / 2) events.wake()
  }

  /** Ends the leases of deliveries, so that any process can claim them. */
  const release = async (tickets: readonly Ticket[]): Promise<void> => {
    if (tickets.length === 0) return
    try {
      const deliveries = tickets.map(({ delivery }) => delivery)
      await releaseDeliveries(ctx, deliveries)
      claims.wake()
    } catch (error) {
      // The deliveries are claimed again after their leases.
      ctx.log.warn({ reason: messageOf(error) }, 'deliveries could not be released')
    }
  }

  const startBy = (): number => performance.now() + leaseMs * WAIT_SHARE

  /** Turns new events into deliveries while there is capacity. */
  const relay = async (signal: AbortSignal): Promise<void> => {
    for (let more = true; more && !signal.aborted; ) {
      const room = capacityForNew()
      waitsForCapacity = room < mostFresh / 2
      if (waitsForCapacity) return
      const ticket = { isNew: true, startBy: startBy() }
      const avoid = [...slots.slow(), ...queue.full()]
      const relayed = await relayEvents(ctx, { limit: EVENTS, capacity: room, leaseMs, avoid })
      // crash point H1: new deliveries are leased, not sent. They are claimed after their leases.
      if (relayed.deliveries.length > 0) crashPoint('H1')
      queue.add(relayed.deliveries.map((delivery) => ({ ...ticket, delivery })))
      startWaiting()
      // If a batch is not full, there are no more events now. Later events cause another wake-up.
      more = relayed.events === EVENTS
    }
  }

  /**
   * Claims due deliveries for all free slots, and some more, which wait for a slot. Returns their
   * number.
   */
  const claim = async (): Promise<number> => {
    const { healthy, degraded } = slots.free()
    const count = await claimFor('healthy', healthy + concurrency - queue.waiting().claimed)
    return count + (await claimFor('degraded', degraded))
  }

  const claimFor = async (lane: 'healthy' | 'degraded', limit: number): Promise<number> => {
    if (limit <= 0) return 0
    const ticket = { isNew: false, startBy: startBy() }
    const slow = slots.slow()
    const claimed = await claimDeliveries(ctx, { lane, slow, limit, perEndpoint, leaseMs })
    // crash point W1: deliveries are claimed, not sent. They are claimed again after their leases.
    if (claimed.length > 0) crashPoint('W1')
    for (const delivery of claimed) {
      if (delivery.degraded) begin({ ...ticket, delivery })
      else queue.add([{ ...ticket, delivery }])
      if (delivery.nextSlotAt) nextSlot.at(delivery.nextSlotAt)
    }
    startWaiting()
    return claimed.length
  }

  const nextSlot = createAlarm(ctx.clock, () => claims.wake())
  const loopOf = (name: string, run: (signal: AbortSignal) => Promise<unknown>) =>
    createLoop({ name, run, sweepMs, log: ctx.log })
  const events = loopOf('relay-events', relay)
  const claims = loopOf('claim-deliveries', claim)
  return {
    name: 'deliver-webhooks',
    async run() {
      await relay(new AbortController().signal)
      // Repeats until no delivery is due and no attempt is running.
      for (let done = false; !done; ) {
        const wasIdle = attempts.size === 0
        done = (await claim()) === 0 && wasIdle
        if (attempts.size > 0) await Promise.race(attempts.values())
      }
    },
    start() {
      events.start()
      claims.start()
    },
    async stop() {
      nextSlot.stop()
      await Promise.all([events.stop(), claims.stop()])
      await within(release(queue.remove()), 500)
      await within(idle(), GRACE_MS)
      aborting.abort()
      await within(releaseDeliveries(ctx, [...attempts.keys()]), 500)
      await deliverer.close()
    },
    wakeEvents: () => events.wake(),
    wakeDeliveries: () => claims.wake(),
  }
}

const logLost = (
  { log }: Context,
  { id: deliveryId, endpointId, eventId, requestId }: ClaimedDelivery,
  error: unknown,
): void => {
  const ids = { deliveryId, endpointId, eventId, requestId }
  log.warn({ ...ids, reason: messageOf(error) }, 'the attempt could not be recorded')
}

/** Waits for `work`, but at most `timeoutMs`. Ignores an error of `work`. */
const within = async (work: Promise<unknown>, timeoutMs: number): Promise<void> => {
  const timer = new AbortController()
  await Promise.race([
    work.catch(() => {}),
    delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
}
