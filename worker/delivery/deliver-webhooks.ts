import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/domain/context.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  recordAttempts,
  relayEvents,
  releaseDeliveries,
} from '../../src/domain/delivery/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import type { Deliverer } from '../../src/webhooks/index.ts'
import { createAlarm } from '../alarm.ts'
import { crashPoint } from '../crash-points.ts'
import { createLoop, type Job } from '../loop.ts'
import { logAttempt, startAttemptSpan, tellAttempt } from './attempt-telemetry.ts'
import { createGroupCommit } from './group-commit.ts'
import { createDeliveryPlaces } from './places.ts'
import { createDeliveryQueue, type Ticket } from './queue.ts'

export type DeliverOptions = {
  /** Attempts in flight in this process; half as many again at endpoints that fail or are slow. */
  concurrency?: number
  /** Attempts in flight at one endpoint: of claimed deliveries over all processes, else in this one. */
  perEndpoint?: number
  leaseMs?: number
  /** An endpoint that takes longer to answer is slow. */
  slowMs?: number
  sweepMs?: number
}

/** A job with two wake-ups: for events that were written, and for deliveries that are due. */
export type DeliverJob = Job & { wakeEvents(): void; wakeDeliveries(): void }

/** Events relayed at a time: few enough that the first are sent while the next are relayed. */
const EVENTS = 100
/** New deliveries that wait in this process, for each place: what a crash delays by a lease. */
const FRESH_PER_PLACE = 32
/** How long `stop` lets attempts finish before it gives them up and their deliveries back. */
const GRACE_MS = 1_500
/** Of a lease: how long a delivery may wait. The rest is longer than an attempt can take. */
const WAIT_SHARE = 1 / 3
const GROUPS = { maxItems: 500, maxTries: 5, retryMs: 200 }

/**
 * Delivers events to webhook endpoints, at least once.
 *
 * New events become deliveries. Those to endpoints that answer are sent at once by the worker that
 * wrote them; all others, and what has failed, are claimed when they are due. Both wait in one
 * queue, in turns over the endpoints; endpoints that fail or are slow have places of their own.
 */
export const createDeliverWebhooksJob = (
  ctx: Context,
  deliverer: Deliverer,
  options: DeliverOptions = {},
): DeliverJob => {
  const { concurrency = 64, perEndpoint = 8, leaseMs = 30_000 } = options
  const { slowMs = 1_000, sweepMs = 1_000 } = options
  const mostFresh = FRESH_PER_PLACE * concurrency
  const queue = createDeliveryQueue(perEndpoint)
  /** Attempts, until they are recorded. */
  const attempts = new Map<ClaimedDelivery, Promise<void>>()
  const givingUp = new AbortController()
  const roomForNew = (): number => mostFresh - queue.waiting().fresh
  let waitsForRoom = false

  const places = createDeliveryPlaces({
    concurrency,
    slowMs,
    onFree() {
      for (const endpointId of places.slow()) void giveBack(queue.remove(endpointId))
      startWaiting()
      claims.wake()
    },
  })

  const record = createGroupCommit<AttemptResult>((group) => recordAttempts(ctx, group), GROUPS)

  const attempt = async ({ delivery, isNew }: Ticket): Promise<void> => {
    const place = places.take(delivery)
    try {
      const span = startAttemptSpan(ctx, delivery)
      const { traceParent } = span
      const traced = traceParent === delivery.traceParent ? delivery : { ...delivery, traceParent }
      const result = await deliverer.deliver(traced, givingUp.signal).finally(() => {
        place.answered()
        place.leave()
        if (!delivery.degraded) queue.ended(delivery.endpointId)
      })
      tellAttempt(ctx, delivery, result, span)
      // crash point W2: sent, not recorded; its lease ends and it is sent again, with the same id.
      crashPoint('W2')
      // What waits for an endpoint that fails becomes due, and is claimed among endpoints in trouble.
      if (result.errorKind !== null) void giveBack(queue.remove(delivery.endpointId))
      startWaiting()
      await record({ delivery, result })
      logAttempt(ctx, delivery, result)
    } catch (error) {
      if (givingUp.signal.aborted) return
      // Its lease ends.
      logLost(ctx, delivery, error)
    }
    // What had to wait for the end of this one: the next in order, or beyond `perEndpoint`.
    if (!isNew) claims.wake()
  }

  const begin = (ticket: Ticket): void => {
    const { delivery } = ticket
    const ended = attempt(ticket).finally(() => {
      // An attempt that was given up stays, for `stop` to release it.
      if (!givingUp.signal.aborted) attempts.delete(delivery)
    })
    attempts.set(delivery, ended)
  }

  const idle = async (): Promise<void> => {
    while (!givingUp.signal.aborted && attempts.size > 0) await Promise.all(attempts.values())
  }

  /** Starts what waits, as far as there are places. */
  const startWaiting = (): void => {
    const now = performance.now()
    while (!givingUp.signal.aborted && places.free().healthy > 0) {
      const ticket = queue.next()
      if (!ticket) break
      if (ticket.startBy >= now) begin(ticket)
      else {
        const { endpointId } = ticket.delivery
        queue.ended(endpointId)
        void giveBack([ticket, ...queue.remove(endpointId)])
      }
    }
    if (waitsForRoom && roomForNew() >= mostFresh / 2) events.wake()
  }

  /** Leaves deliveries to the next claim. */
  const giveBack = async (tickets: readonly Ticket[]): Promise<void> => {
    if (tickets.length === 0) return
    try {
      await releaseDeliveries(
        ctx,
        tickets.map(({ delivery }) => delivery),
      )
      claims.wake()
    } catch (error) {
      // Their leases end.
      ctx.log.warn({ reason: messageOf(error) }, 'deliveries could not be given back')
    }
  }

  const startBy = (): number => performance.now() + leaseMs * WAIT_SHARE

  /** Turns new events into deliveries, while there is room for them. */
  const relay = async (signal: AbortSignal): Promise<void> => {
    for (let more = true; more && !signal.aborted; ) {
      const room = roomForNew()
      waitsForRoom = room < mostFresh / 2
      if (waitsForRoom) return
      const ticket = { isNew: true, startBy: startBy() }
      const avoid = [...places.slow(), ...queue.full()]
      const relayed = await relayEvents(ctx, { limit: EVENTS, capacity: room, leaseMs, avoid })
      // crash point H1: leased, nothing sent; their leases end.
      if (relayed.deliveries.length > 0) crashPoint('H1')
      queue.add(relayed.deliveries.map((delivery) => ({ ...ticket, delivery })))
      startWaiting()
      // What comes later brings its own wake-up.
      more = relayed.events === EVENTS
    }
  }

  /** Claims what is due, for the free places and as many again. Returns how many deliveries it took. */
  const claim = async (): Promise<number> => {
    const { healthy, degraded } = places.free()
    const count = await claimFor('healthy', healthy + concurrency - queue.waiting().claimed)
    return count + (await claimFor('degraded', degraded))
  }

  const claimFor = async (lane: 'healthy' | 'degraded', limit: number): Promise<number> => {
    if (limit <= 0) return 0
    const ticket = { isNew: false, startBy: startBy() }
    const slow = places.slow()
    const claimed = await claimDeliveries(ctx, { lane, slow, limit, perEndpoint, leaseMs })
    // crash point W1: claimed, not sent; its lease ends.
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
    createLoop({ name, run: async (signal) => void (await run(signal)), sweepMs, log: ctx.log })
  const events = loopOf('relay-events', relay)
  const claims = loopOf('claim-deliveries', claim)
  return {
    name: 'deliver-webhooks',
    async run() {
      await relay(new AbortController().signal)
      // Ends with a claim that finds nothing while nothing is in flight.
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
      await within(giveBack(queue.remove()), 500)
      await within(idle(), GRACE_MS)
      givingUp.abort()
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
  log.warn({ ...ids, reason: messageOf(error) }, 'an attempt could not be recorded')
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
