import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'

/**
 * The places for attempts that one process has under way, in two rooms, so that endpoints that
 * keep an attempt waiting never take the places of those that answer.
 *
 * An attempt begins in the room that its delivery was claimed for. One that takes longer than
 * `slowMs` marks its endpoint as slow and moves to the other room, if that is full or not, so that
 * a place in the first room is free again after that long at the latest, whoever has it. Endpoints
 * that are marked are claimed for the other room only, until one of their attempts ends in time
 * while no other one is late.
 */
export type DeliveryPlaces = {
  /** Free places: for endpoints that answer in time, and for those that fail or are slow. */
  free(): { healthy: number; degraded: number }
  /** The endpoints that are marked as slow. */
  slow(): string[]
  isSlow(endpointId: string): boolean
  take(delivery: Pick<ClaimedDelivery, 'endpointId' | 'degraded'>): DeliveryPlace
}

export type DeliveryPlace = {
  /** The endpoint has answered, or will not: what remains to be done is not its fault. */
  answered(): void
  /** Gives the place back. */
  leave(): void
}

export type DeliveryPlacesOptions = {
  /** Places in the first room; the other one has half as many. */
  concurrency: number
  slowMs: number
  /** Called when an attempt has moved to the other room. */
  onFree(): void
}

/** Attempts that moved rooms may fill the other one this many times over before none are taken. */
const MAX_OVERFLOW = 6
/** What is marked is a parameter of each claim. Beyond this the oldest is forgotten, and learnt again. */
const MAX_SLOW = 1_000

export const createDeliveryPlaces = ({
  concurrency,
  slowMs,
  onFree,
}: DeliveryPlacesOptions): DeliveryPlaces => {
  const degradedPlaces = Math.max(1, Math.floor(concurrency / 2))
  const mostUnderWay = concurrency + degradedPlaces * MAX_OVERFLOW
  const held = { healthy: 0, degraded: 0 }
  const slow = new Set<string>()
  /** Attempts that are late, by endpoint. */
  const late = new Map<string, number>()

  const mark = (endpointId: string): void => {
    slow.delete(endpointId)
    slow.add(endpointId)
    const oldest = slow.values().next()
    if (slow.size > MAX_SLOW && !oldest.done) slow.delete(oldest.value)
  }

  const addLate = (endpointId: string, by: 1 | -1): void => {
    const count = (late.get(endpointId) ?? 0) + by
    if (count === 0) late.delete(endpointId)
    else late.set(endpointId, count)
  }

  return {
    free() {
      const left = Math.max(0, mostUnderWay - held.healthy - held.degraded)
      return {
        healthy: Math.min(left, concurrency - held.healthy),
        degraded: Math.min(left, Math.max(0, degradedPlaces - held.degraded)),
      }
    },
    slow: () => [...slow],
    isSlow: (endpointId) => slow.has(endpointId),
    take({ endpointId, degraded }) {
      let room: keyof typeof held = degraded ? 'degraded' : 'healthy'
      let isLate = false
      held[room]++
      const timer = setTimeout(() => {
        isLate = true
        mark(endpointId)
        addLate(endpointId, 1)
        if (room === 'degraded') return
        held.healthy--
        room = 'degraded'
        held.degraded++
        onFree()
      }, slowMs)
      timer.unref()
      return {
        answered() {
          clearTimeout(timer)
          if (isLate) addLate(endpointId, -1)
          else if (!late.has(endpointId)) slow.delete(endpointId)
        },
        leave() {
          held[room]--
        },
      }
    },
  }
}
