import type { ClaimedDelivery } from '../src/domain/webhook/index.ts'

/**
 * Deliveries that were claimed ahead and wait for a place, in turns over their endpoints: one that
 * comes for an endpoint without any does not wait behind the others' backlogs.
 */
export type DeliveryQueue = {
  /** How many wait that were claimed, and that were handed over. */
  size(): Readonly<{ claimed: number; handed: number }>
  /** How many of both wait for an endpoint. */
  waitingFor(endpointId: string): number
  /** `startBy`: after that the rest of the lease is too short, and they are left to its end. */
  add(deliveries: readonly ClaimedDelivery[], startBy: number): void
  /** Whoever is next in turn; undefined where nobody waits, or every endpoint has enough under way. */
  next(now: number): ClaimedDelivery | undefined
  /** An attempt that `next` gave out has ended. */
  ended(endpointId: string): void
  /** Takes out what waits for an endpoint, or for all of them. */
  remove(endpointId?: string): ClaimedDelivery[]
}

type Waiting = { delivery: ClaimedDelivery; startBy: number }
type Lane = { waiting: Waiting[]; underWay: number; inTurn: boolean }

/** @param perEndpoint how many attempts at one endpoint are given out at a time */
export const createDeliveryQueue = (perEndpoint: number): DeliveryQueue => {
  const lanes = new Map<string, Lane>()
  const turns: string[] = []
  const size = { claimed: 0, handed: 0 }

  const count = (deliveries: readonly ClaimedDelivery[], by: 1 | -1): void => {
    for (const { handed } of deliveries) size[handed ? 'handed' : 'claimed'] += by
  }
  /** Puts an endpoint at the end of the line, if it may go and is not in it. */
  const line = (endpointId: string, lane: Lane): void => {
    if (lane.inTurn || lane.waiting.length === 0 || lane.underWay >= perEndpoint) return
    lane.inTurn = true
    turns.push(endpointId)
  }
  const forget = (endpointId: string, lane: Lane): void => {
    if (lane.waiting.length === 0 && lane.underWay === 0 && !lane.inTurn) lanes.delete(endpointId)
  }

  /** Leaves out those whose time is over. */
  const takeFirst = (lane: Lane, now: number): ClaimedDelivery | undefined => {
    for (let first = lane.waiting.shift(); first; first = lane.waiting.shift()) {
      size[first.delivery.handed ? 'handed' : 'claimed']--
      if (first.startBy >= now) return first.delivery
    }
    return undefined
  }

  return {
    size: () => size,
    waitingFor: (endpointId) => lanes.get(endpointId)?.waiting.length ?? 0,
    add(deliveries, startBy) {
      for (const delivery of deliveries) {
        const { endpointId } = delivery
        const lane = lanes.get(endpointId) ?? {
          waiting: [],
          underWay: 0,
          inTurn: false,
        }
        lanes.set(endpointId, lane)
        lane.waiting.push({ delivery, startBy })
        line(endpointId, lane)
      }
      count(deliveries, 1)
    },
    next(now) {
      for (let endpointId = turns.shift(); endpointId !== undefined; endpointId = turns.shift()) {
        const lane = lanes.get(endpointId)
        if (!lane) continue
        lane.inTurn = false
        const chosen = takeFirst(lane, now)
        if (chosen) lane.underWay++
        line(endpointId, lane)
        forget(endpointId, lane)
        if (chosen) return chosen
      }
      return undefined
    },
    ended(endpointId) {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.underWay--
      line(endpointId, lane)
      forget(endpointId, lane)
    },
    remove(endpointId) {
      const ids = endpointId === undefined ? [...lanes.keys()] : [endpointId]
      const removed = ids
        .flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? [])
        .map(({ delivery }) => delivery)
      count(removed, -1)
      return removed
    },
  }
}
