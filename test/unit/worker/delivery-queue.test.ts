import { describe, expect, test } from 'vitest'
import type { ClaimedDelivery } from '../../../src/domain/events/index.ts'
import { createDeliveryQueue, type Ticket } from '../../../worker/delivery/queue.ts'

const many = (endpointId: string, count: number, isNew = false): Ticket[] =>
  Array.from({ length: count }, (_, index) => ({
    delivery: { id: `${endpointId}${index}`, endpointId } as ClaimedDelivery,
    isNew,
    startBy: 0,
  }))

const take = (queue: ReturnType<typeof createDeliveryQueue>, count: number) =>
  Array.from({ length: count }, () => queue.next()?.delivery.id)

describe('the queue of deliveries', () => {
  test('goes in turns over the endpoints, each in its own order', () => {
    const queue = createDeliveryQueue(8)
    queue.add(many('a', 3))
    queue.add(many('b', 2))
    expect(take(queue, 6)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', undefined])
    expect(queue.waiting()).toEqual({ fresh: 0, claimed: 0 })
  })

  test('lets one that comes late go before the backlog of another endpoint', () => {
    const queue = createDeliveryQueue(8)
    queue.add(many('a', 5))
    take(queue, 2)
    queue.add(many('b', 1))
    expect(take(queue, 2)).toEqual(['a2', 'b0'])
  })

  test('gives out no more of an endpoint than may be under way, until one of them has ended', () => {
    const queue = createDeliveryQueue(2)
    queue.add(many('a', 4))
    expect(take(queue, 3)).toEqual(['a0', 'a1', undefined])
    queue.ended('a')
    expect(take(queue, 2)).toEqual(['a2', undefined])
    expect(queue.waiting()).toEqual({ fresh: 0, claimed: 1 })
  })

  test('counts what waits, and names the endpoints for which enough does', () => {
    const queue = createDeliveryQueue(2)
    queue.add(many('a', 64, true))
    queue.add(many('b', 63))
    expect(queue.waiting()).toEqual({ fresh: 64, claimed: 63 })
    expect(queue.full()).toEqual(['a'])
    take(queue, 1)
    expect(queue.full()).toEqual([])
    expect(queue.waiting()).toEqual({ fresh: 63, claimed: 63 })
  })

  test('hands back what waits for one endpoint, and leaves the others', () => {
    const queue = createDeliveryQueue(8)
    queue.add(many('a', 3))
    queue.add(many('b', 1))
    take(queue, 1)
    expect(queue.remove('a').map(({ delivery }) => delivery.id)).toEqual(['a1', 'a2'])
    expect(take(queue, 2)).toEqual(['b0', undefined])
    queue.add(many('a', 1))
    expect(queue.remove().map(({ delivery }) => delivery.id)).toEqual(['a0'])
    expect(queue.waiting()).toEqual({ fresh: 0, claimed: 0 })
  })
})
