import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/domain/context.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  type DispatchResult,
  leaseEvents,
  recordAttempts,
  recordDispatches,
  releaseDeliveries,
} from '../../src/domain/delivery/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import type { Deliverer } from '../../src/webhooks/index.ts'
import { createAlarm } from '../alarm.ts'
import { crashPoint } from '../crash-points.ts'
import { createLoop, type Job } from '../loop.ts'
import { logAttempt, startAttemptSpan, tellAttempt } from './attempt-telemetry.ts'
import { type Batch, openBatch } from './batch.ts'
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

/** Events leased at a time: few enough that the first are sent while the next are leased. */
const EVENTS = 100
/** Deliveries without a row in this process, for each place: what a crash may send again. */
const FRESH_PER_PLACE = 32
/** How long `stop` lets attempts finish before it gives them up and their deliveries back. */
const GRACE_MS = 1_500
/** Of a lease: how long a claimed delivery may wait. The rest is longer than an attempt can take. */
const WAIT_SHARE = 1 / 3
const GROUPS = { maxTries: 5, retryMs: 200 }

/**
 * Delivers events to webhook endpoints, at least once.
 *
 * New events are leased, sent at once to endpoints that answer, and recorded. Everything else is a
 * pending row: what failed, and what goes to endpoints that fail, are slow, paused, ordered or
 * limited. Pending rows are claimed when they are due. Both wait in one queue, in turns over the
 * endpoints; endpoints that fail or are slow have places of their own.
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
  /** Attempts, until their batch has their result or they are recorded alone. */
  const attempts = new Map<ClaimedDelivery, Promise<void>>()
  /** Batches, until they are recorded. */
  const batches = new Set<Batch>()
  const givingUp = new AbortController()
  /** Deliveries of batches that are not recorded. */
  let fresh = 0
  const hasRoom = (): boolean => fresh <= mostFresh / 2
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

  const recordBatch = createGroupCommit<DispatchResult>(
    (results) => recordDispatches(ctx, results, leaseMs),
    { maxItems: 20, ...GROUPS },
  )
  const recordAlone = createGroupCommit<AttemptResult>((results) => recordAttempts(ctx, results), {
    maxItems: 500,
    ...GROUPS,
  })

  /** Records an attempt at a delivery that has a row. */
  const settle = async ({ delivery, result }: AttemptResult): Promise<void> => {
    try {
      await recordAlone({ delivery, result })
      logAttempt(ctx, delivery, result)
    } catch (error) {
      // Its lease ends.
      logLost(ctx, delivery, error)
    }
    claims.wake()
  }

  const attempt = async ({ delivery, batch }: Ticket): Promise<void> => {
    const place = places.take(delivery)
    batch?.begin(delivery)
    try {
      const span = startAttemptSpan(ctx, delivery)
      const { traceParent } = span
      const traced = traceParent === delivery.traceParent ? delivery : { ...delivery, traceParent }
      const result = await deliverer.deliver(traced, givingUp.signal).finally(() => {
        place.answered()
        place.leave()
        if (!delivery.troubled) queue.ended(delivery.endpointId)
      })
      tellAttempt(ctx, delivery, result, span)
      // crash point W2: sent, not recorded; its lease ends and it is sent again, with the same id.
      crashPoint('W2')
      // What waits for an endpoint that fails becomes due, and is claimed among endpoints in trouble.
      if (result.errorKind !== null) void giveBack(queue.remove(delivery.endpointId))
      startWaiting()
      if (batch?.end({ delivery, result })) return
      await batch?.recorded
      await settle({ delivery, result })
    } catch (error) {
      if (givingUp.signal.aborted) return
      logLost(ctx, delivery, error)
    }
  }

  const begin = (ticket: Ticket): void => {
    const { delivery } = ticket
    const ended = attempt(ticket).finally(() => {
      // An attempt that was given up stays, for `stop` to release it.
      if (!givingUp.signal.aborted) attempts.delete(delivery)
    })
    attempts.set(delivery, ended)
  }

  const inFlight = () => [...attempts.values(), ...[...batches].map(({ recorded }) => recorded)]
  const idle = async (): Promise<void> => {
    while (!givingUp.signal.aborted && attempts.size + batches.size > 0) {
      await Promise.all(inFlight())
    }
  }

  /** Starts what waits, as far as there are places. */
  const startWaiting = (): void => {
    while (!givingUp.signal.aborted && places.free().prompt > 0) {
      const ticket = queue.next(performance.now())
      if (!ticket) return
      begin(ticket)
    }
  }

  /** Leaves deliveries to the next claim. */
  const giveBack = async (tickets: readonly Ticket[]): Promise<void> => {
    for (const { delivery, batch } of tickets) batch?.skip(delivery)
    const claimed = tickets.filter(({ batch }) => batch === null)
    if (claimed.length === 0) return
    try {
      await releaseDeliveries(
        ctx,
        claimed.map(({ delivery }) => delivery),
      )
      claims.wake()
    } catch (error) {
      // Their leases end.
      ctx.log.warn({ reason: messageOf(error) }, 'deliveries could not be given back')
    }
  }

  const writeBatch = async (result: DispatchResult): Promise<void> => {
    try {
      await recordBatch(result)
      if (result.unsent.length > 0) claims.wake()
      for (const each of result.results) logAttempt(ctx, each.delivery, each.result)
    } catch (error) {
      // The lease of its events ends, and they are dispatched again.
      for (const { delivery } of result.results) logLost(ctx, delivery, error)
    }
  }

  /** Leases new events while there is room for their deliveries. */
  const dispatch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && hasRoom()) {
      const { events, ...leased } = await leaseEvents(ctx, {
        limit: EVENTS,
        room: mostFresh - fresh,
        leaseMs,
        slow: places.slow(),
      })
      const { length } = leased.deliveries
      if (length > 0) {
        // crash point H1: leased, nothing sent; the lease ends.
        crashPoint('H1')
        const startBy = performance.now() + slowMs
        const batch = openBatch(leased, slowMs, writeBatch)
        fresh += length
        batches.add(batch)
        void batch.recorded.then(() => {
          fresh -= length
          batches.delete(batch)
          if (waitsForRoom && hasRoom()) dispatches.wake()
        })
        queue.add(leased.deliveries.map((delivery) => ({ delivery, batch, startBy })))
        startWaiting()
      }
      // What comes later brings its own wake-up.
      if (events < EVENTS) break
    }
    waitsForRoom = !hasRoom()
  }

  /** Claims what is due, for the free places and as many again. Returns how many deliveries it took. */
  const claim = async (): Promise<number> => {
    const { prompt, troubled } = places.free()
    const count = await claimFor('prompt', prompt + concurrency - queue.claimed())
    return count + (await claimFor('troubled', troubled))
  }

  const claimFor = async (lane: 'prompt' | 'troubled', limit: number): Promise<number> => {
    if (limit <= 0) return 0
    const startBy = performance.now() + leaseMs * WAIT_SHARE
    const slow = places.slow()
    const claimed = await claimDeliveries(ctx, { lane, slow, limit, perEndpoint, leaseMs })
    // crash point W1: claimed, not sent; its lease ends.
    if (claimed.length > 0) crashPoint('W1')
    for (const delivery of claimed) {
      const ticket = { delivery, batch: null, startBy }
      if (delivery.troubled) begin(ticket)
      else queue.add([ticket])
      if (delivery.nextSlotAt) nextSlot.at(delivery.nextSlotAt)
    }
    startWaiting()
    return claimed.length
  }

  const nextSlot = createAlarm(ctx.clock, () => claims.wake())
  const loopOf = (name: string, run: (signal: AbortSignal) => Promise<unknown>) =>
    createLoop({ name, run: async (signal) => void (await run(signal)), sweepMs, log: ctx.log })
  const dispatches = loopOf('dispatch-events', dispatch)
  const claims = loopOf('claim-deliveries', claim)
  return {
    name: 'deliver-webhooks',
    async run() {
      await dispatch(new AbortController().signal)
      // Ends with a claim that finds nothing while nothing is in flight.
      for (let done = false; !done; ) {
        const wasIdle = inFlight().length === 0
        done = (await claim()) === 0 && wasIdle
        if (inFlight().length > 0) await Promise.race(inFlight())
      }
    },
    start() {
      dispatches.start()
      claims.start()
    },
    async stop() {
      nextSlot.stop()
      await Promise.all([dispatches.stop(), claims.stop()])
      for (const batch of batches) batch.close()
      await within(giveBack(queue.remove()), 500)
      await within(idle(), GRACE_MS)
      givingUp.abort()
      await within(releaseDeliveries(ctx, [...attempts.keys()]), 500)
      await deliverer.close()
    },
    wakeEvents: () => dispatches.wake(),
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
