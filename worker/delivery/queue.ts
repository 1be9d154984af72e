import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'

/** A delivery that waits for a place in this process. */
export type Ticket = {
  delivery: ClaimedDelivery
  /** It came with its event, not by a claim. */
  isNew: boolean
  /** By the monotonic clock, in ms. Later the rest of the lease is too short for an attempt. */
  startBy: number
}

/**
 * Deliveries that wait for a place, in turns over their endpoints: a delivery to an endpoint with
 * nothing in flight does not wait behind the backlogs of others.
 */
export type DeliveryQueue = {
  /** How many wait that came with their events, and how many that were claimed. */
  waiting(): { fresh: number; claimed: number }
  /** Endpoints for which so much waits that more would not be sent in time. */
  full(): string[]
  add(tickets: readonly Ticket[]): void
  /** The next in turn; undefined where nothing waits, or every endpoint has enough in flight. */
  next(): Ticket | undefined
  /** An attempt that `next` gave out has ended. */
  ended(endpointId: string): void
  /** Takes out what waits for an endpoint, or for all of them. */
  remove(endpointId?: string): Ticket[]
}

type Lane = { waiting: Ticket[]; inFlight: number; inTurn: boolean }

/** Deliveries that may wait for one endpoint, for each attempt that it may have in flight. */
const FULL_AT = 32

/** @param perEndpoint how many attempts at one endpoint are given out at a time */
export const createDeliveryQueue = (perEndpoint: number): DeliveryQueue => {
  const lanes = new Map<string, Lane>()
  const turns: string[] = []
  const waiting = { fresh: 0, claimed: 0 }

  const count = ({ isNew }: Ticket, by: 1 | -1): void => {
    waiting[isNew ? 'fresh' : 'claimed'] += by
  }
  /** Puts an endpoint at the end of the line, if it may go and is not in it. */
  const line = (endpointId: string, lane: Lane): void => {
    if (lane.inTurn) return
    if (lane.waiting.length === 0) {
      if (lane.inFlight === 0) lanes.delete(endpointId)
    } else if (lane.inFlight < perEndpoint) {
      lane.inTurn = true
      turns.push(endpointId)
    }
  }

  return {
    waiting: () => ({ ...waiting }),
    full: () =>
      [...lanes].flatMap(([id, lane]) => (lane.waiting.length < FULL_AT * perEndpoint ? [] : [id])),
    add(tickets) {
      for (const ticket of tickets) {
        const { endpointId } = ticket.delivery
        const lane = lanes.get(endpointId) ?? { waiting: [], inFlight: 0, inTurn: false }
        lanes.set(endpointId, lane)
        lane.waiting.push(ticket)
        count(ticket, 1)
        line(endpointId, lane)
      }
    },
    next() {
      for (let endpointId = turns.shift(); endpointId !== undefined; endpointId = turns.shift()) {
        const lane = lanes.get(endpointId)
        if (!lane) continue
        lane.inTurn = false
        const ticket = lane.waiting.shift()
        if (ticket) {
          lane.inFlight++
          count(ticket, -1)
        }
        line(endpointId, lane)
        if (ticket) return ticket
      }
      return undefined
    },
    ended(endpointId) {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.inFlight--
      line(endpointId, lane)
    },
    remove(endpointId) {
      const ids = endpointId === undefined ? [...lanes.keys()] : [endpointId]
      const removed = ids.flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? [])
      for (const ticket of removed) count(ticket, -1)
      return removed
    },
  }
}
