import type { Context } from '../src/domain/context.ts'
import {
  type ClaimedDelivery,
  endHandovers,
  keepHanded,
  openHandover,
} from '../src/domain/webhook/index.ts'
import { messageOf } from '../src/kernel/errors.ts'
import type { Handover, HandoverTaker } from '../src/outbox/relay.ts'
import { crashPoint } from './crash-points.ts'
import { createGroupCommit } from './group-commit.ts'

/** What a relay of the same process may hand over. */
export type HandoverRoom = HandoverTaker & {
  /** Deliveries that it takes when nothing waits. */
  most: number
  /** Calls back, once, when half of the room is free. */
  whenRoom(listener: () => void): void
}

export type Handovers = {
  taker: HandoverRoom
  /** A delivery of a handover has a row now; after the last one the handover is forgotten. */
  done(delivery: Pick<ClaimedDelivery, 'id' | 'lease'>): Promise<void>
  /** Writes the rows of deliveries that were not attempted. */
  keep(deliveries: readonly ClaimedDelivery[]): Promise<void>
  /** Some of what waited has gone. */
  tellRoom(): void
  /** Takes no more; resolves when what was just taken is queued, or has its rows. */
  stop(): Promise<void>
}

export type HandoversOptions = {
  leaseMs: number
  /** Deliveries that may wait. */
  most: number
  /** How many do. */
  waiting(): number
  roomFor(endpointId: string): number
  /** Queues deliveries of a handover that was taken then, by the monotonic clock. */
  add(deliveries: readonly ClaimedDelivery[], takenAt: number): void
}

/**
 * Takes deliveries over from the relay and keeps count of them: a handover is forgotten when each of
 * its deliveries has a row. One that is not, because the process died or the database was away, is
 * taken back when its lease ends.
 */
export const createHandovers = (ctx: Context, options: HandoversOptions): Handovers => {
  const { leaseMs, most, waiting, add } = options
  /** What has no row yet. By id: some may be said to have one twice, when a worker stops. */
  const left = new Map<string, { ids: Set<string>; until: number }>()
  /** Taken, and not queued yet. */
  let opening = 0
  const underWay = new Set<Promise<void>>()
  let stopped = false
  let listener: (() => void) | undefined
  const end = createGroupCommit<string>((ids) => endHandovers(ctx, ids), {
    maxItems: 100,
    maxTries: 1,
    retryMs: 0,
  })

  const done: Handovers['done'] = async ({ id, lease }) => {
    const handover = left.get(lease)
    handover?.ids.delete(id)
    if (!handover || handover.ids.size > 0) return
    left.delete(lease)
    // Where that fails its lease ends, and all of its deliveries are found to have rows.
    await end(lease).catch(() => {})
  }

  /** Those some of which were not even tried in time: whoever finds their lease ended has them. */
  const forgetLate = (now: number): void => {
    for (const [id, { until }] of left) if (until < now) left.delete(id)
  }

  const keep = async (
    deliveries: readonly Pick<ClaimedDelivery, 'id' | 'eventId' | 'endpointId' | 'lease'>[],
  ): Promise<void> => {
    if (deliveries.length === 0) return
    await keepHanded(ctx, deliveries)
    await Promise.all(deliveries.map(done))
  }

  const take = async (handover: Handover): Promise<void> => {
    const { id: lease, deliveries } = handover
    const takenAt = performance.now()
    forgetLate(takenAt)
    left.set(lease, { ids: new Set(deliveries.map(({ id }) => id)), until: takenAt + leaseMs })
    // crash point H1: handed over, nothing sent; the lease ends.
    crashPoint('H1')
    opening += deliveries.length
    try {
      const { ready, others } = await openHandover(ctx, handover)
      if (!stopped) add(ready, takenAt)
      await keep([...(stopped ? ready : []), ...others.map((each) => ({ ...each, lease }))])
    } catch (error) {
      // Its lease ends.
      ctx.log.warn({ reason: messageOf(error) }, 'a handover could not be opened')
    } finally {
      opening -= deliveries.length
    }
  }

  return {
    taker: {
      leaseMs,
      most,
      room: () => (stopped ? 0 : Math.max(0, most - waiting() - opening)),
      roomFor: (endpointId) => (stopped ? 0 : Math.max(0, options.roomFor(endpointId))),
      take(handover) {
        const taking = take(handover).finally(() => underWay.delete(taking))
        underWay.add(taking)
      },
      whenRoom(call) {
        listener = call
      },
    },
    done,
    keep,
    tellRoom() {
      if (!listener || waiting() + opening > most / 2) return
      const call = listener
      listener = undefined
      call()
    },
    async stop() {
      stopped = true
      await Promise.all(underWay)
    },
  }
}
