import type { ClaimedDelivery } from '../../src/domain/events/index.ts'

/** A delivery that waits for a slot in this process. */
export type Ticket = {
  delivery: ClaimedDelivery
  /** True if the delivery comes directly from a new event; false if it was claimed when due. */
  isNew: boolean
  /** The latest start (by `performance.now()`) at which the lease is long enough for an attempt. */
  startBy: number
}

type Lane = { waiting: Ticket[]; inFlight: number; inTurn: boolean }

/** If this number times `perEndpoint` deliveries wait for an endpoint, the endpoint is full. */
const FULL_AT = 32

/**
 * Creates a queue of deliveries that wait for a slot. The endpoints take turns, so that a delivery
 * does not wait until the many deliveries of another endpoint are sent.
 *
 * @param perEndpoint the most attempts at the same time to one endpoint
 */
export const createDeliveryQueue = (perEndpoint: number) => {
  const lanes = new Map<string, Lane>()
  const turns: string[] = []
  const waiting = { fresh: 0, claimed: 0 }

  const count = ({ isNew }: Ticket, by: 1 | -1): void => {
    waiting[isNew ? 'fresh' : 'claimed'] += by
  }
  /** Adds an endpoint to `turns` if it has a waiting delivery that may start now. */
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
    /** The numbers of waiting deliveries: `fresh` from new events, and `claimed` when due. */
    waiting: () => ({ ...waiting }),
    /** Endpoints with so many waiting deliveries that a new delivery might not start in time. */
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
    /** Takes the next delivery. Undefined if no waiting delivery may start now. */
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
    /** The caller must call `ended` after each attempt for a delivery that `next` returned. */
    ended(endpointId: string): void {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.inFlight--
      enqueue(endpointId, lane)
    },
    /** Removes and returns the waiting deliveries of one endpoint, or of all endpoints. */
    remove(endpointId?: string): Ticket[] {
      const ids = endpointId === undefined ? [...lanes.keys()] : [endpointId]
      const removed = ids.flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? [])
      for (const ticket of removed) count(ticket, -1)
      return removed
    },
  }
}
