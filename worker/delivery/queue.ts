import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'
import type { Batch } from './batch.ts'

/** A delivery that waits for a place in this process. */
export type Ticket = {
  delivery: ClaimedDelivery
  /** Of a delivery without a row: the batch that records it. */
  batch: Batch | null
  /** By the monotonic clock, in ms. Later the rest of the lease is too short for an attempt. */
  startBy: number
}

/**
 * Deliveries that wait for a place, in turns over their endpoints: a delivery to an endpoint with
 * nothing in flight does not wait behind the backlogs of others.
 */
export type DeliveryQueue = {
  /** How many of what was claimed wait. */
  claimed(): number
  add(tickets: readonly Ticket[]): void
  /** The next in turn; undefined where nothing waits, or every endpoint has enough in flight. */
  next(now: number): Ticket | undefined
  /** An attempt that `next` gave out has ended. */
  ended(endpointId: string): void
  /** Takes out what waits for an endpoint, or for all of them. */
  remove(endpointId?: string): Ticket[]
}

type Lane = { waiting: Ticket[]; inFlight: number; inTurn: boolean }

/** @param perEndpoint how many attempts at one endpoint are given out at a time */
export const createDeliveryQueue = (perEndpoint: number): DeliveryQueue => {
  const lanes = new Map<string, Lane>()
  const turns: string[] = []
  let claimed = 0

  const count = (tickets: readonly Ticket[], by: 1 | -1): void => {
    for (const { batch } of tickets) if (batch === null) claimed += by
  }
  /** Puts an endpoint at the end of the line, if it may go and is not in it. */
  const line = (endpointId: string, lane: Lane): void => {
    if (lane.inTurn || lane.waiting.length === 0 || lane.inFlight >= perEndpoint) return
    lane.inTurn = true
    turns.push(endpointId)
  }
  const forget = (endpointId: string, lane: Lane): void => {
    if (lane.waiting.length === 0 && lane.inFlight === 0 && !lane.inTurn) lanes.delete(endpointId)
  }
  /** Leaves out those whose time is over. */
  const takeFirst = (lane: Lane, now: number): Ticket | undefined => {
    for (let first = lane.waiting.shift(); first; first = lane.waiting.shift()) {
      count([first], -1)
      if (first.startBy >= now) return first
    }
    return undefined
  }

  return {
    claimed: () => claimed,
    add(tickets) {
      for (const ticket of tickets) {
        const { endpointId } = ticket.delivery
        const lane = lanes.get(endpointId) ?? { waiting: [], inFlight: 0, inTurn: false }
        lanes.set(endpointId, lane)
        lane.waiting.push(ticket)
        line(endpointId, lane)
      }
      count(tickets, 1)
    },
    next(now) {
      for (let endpointId = turns.shift(); endpointId !== undefined; endpointId = turns.shift()) {
        const lane = lanes.get(endpointId)
        if (!lane) continue
        lane.inTurn = false
        const chosen = takeFirst(lane, now)
        if (chosen) lane.inFlight++
        line(endpointId, lane)
        forget(endpointId, lane)
        if (chosen) return chosen
      }
      return undefined
    },
    ended(endpointId) {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.inFlight--
      line(endpointId, lane)
      forget(endpointId, lane)
    },
    remove(endpointId) {
      const ids = endpointId === undefined ? [...lanes.keys()] : [endpointId]
      const removed = ids.flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? [])
      count(removed, -1)
      return removed
    },
  }
}
