import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'

/** A delivery that waits for a slot in this process. */
export type Ticket = {
  delivery: ClaimedDelivery
  /** Dispatched directly with its event, not claimed. */
  isNew: boolean
  /** Monotonic clock, in ms. After this time the rest of the lease is too short for an attempt. */
  startBy: number
}

type Lane = { waiting: Ticket[]; inFlight: number; inTurn: boolean }

/** Deliveries that may wait for one endpoint, per attempt that it may have in flight. */
const FULL_AT = 32

/**
 * Deliveries that wait for a slot, in turns over their endpoints: a delivery to an idle endpoint
 * does not wait behind the backlogs of other endpoints.
 *
 * @param perEndpoint the most attempts in flight at one endpoint
 */
export const createDeliveryQueue = (perEndpoint: number) => {
  const lanes = new Map<string, Lane>()
  const turns: string[] = []
  const waiting = { fresh: 0, claimed: 0 }

  const count = ({ isNew }: Ticket, by: 1 | -1): void => {
    waiting[isNew ? 'fresh' : 'claimed'] += by
  }
  /** Adds an endpoint to the end of the turns, if it may send and is not in them. */
  const enqueue = (endpointId: string, lane: Lane): void => {
    if (lane.inTurn) return
    if (lane.waiting.length === 0) {
      if (lane.inFlight === 0) lanes.delete(endpointId)
    } else if (lane.inFlight < perEndpoint) {
      lane.inTurn = true
      turns.push(endpointId)
    }
  }

  return {
    /** The number of waiting deliveries: directly dispatched ones and claimed ones. */
    waiting: () => ({ ...waiting }),
    /** Endpoints whose backlog is so long that further deliveries would not be sent in time. */
    full: (): string[] =>
      [...lanes].flatMap(([id, lane]) => (lane.waiting.length < FULL_AT * perEndpoint ? [] : [id])),
    add(tickets: readonly Ticket[]): void {
      for (const ticket of tickets) {
        const { endpointId } = ticket.delivery
        const lane = lanes.get(endpointId) ?? { waiting: [], inFlight: 0, inTurn: false }
        lanes.set(endpointId, lane)
        lane.waiting.push(ticket)
        count(ticket, 1)
        enqueue(endpointId, lane)
      }
    },
    /** The next delivery; undefined if none waits or all endpoints have enough in flight. */
    next(): Ticket | undefined {
      for (let endpointId = turns.shift(); endpointId !== undefined; endpointId = turns.shift()) {
        const lane = lanes.get(endpointId)
        if (!lane) continue
        lane.inTurn = false
        const ticket = lane.waiting.shift()
        if (ticket) {
          lane.inFlight++
          count(ticket, -1)
        }
        enqueue(endpointId, lane)
        if (ticket) return ticket
      }
      return undefined
    },
    /** Reports the end of an attempt that `next` returned. */
    ended(endpointId: string): void {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.inFlight--
      enqueue(endpointId, lane)
    },
    /** Removes the waiting deliveries of one endpoint or of all endpoints. */
    remove(endpointId?: string): Ticket[] {
      const ids = endpointId === undefined ? [...lanes.keys()] : [endpointId]
      const removed = ids.flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? [])
      for (const ticket of removed) count(ticket, -1)
      return removed
    },
  }
}
