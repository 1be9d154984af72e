import { beforeEach, describe, expect, test } from 'vitest'
import {
  claimDeliveries,
  deleteEndpoint,
  recordAttempts,
  releaseDeliveries,
} from '../../../src/domain/events/index.ts'
import { endLeases } from '../../support/deliveries.ts'
import { failureOf, idsOf, openWorld, recordAll, resultOf, type World } from './support/world.ts'

const URL = 'https://hooks.example.com/'
const LEASE_MS = 60_000

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const claim = (limit = 100, perEndpoint = 100) =>
  claimDeliveries(world.ctx, { limit, perEndpoint, leaseMs: LEASE_MS })

const prepare = async (events: number) => {
  const userId = await world.addUser()
  const endpoint = await world.addEndpoint(userId, URL)
  const eventIds = await world.happen(userId, events)
  return { userId, endpoint, eventIds }
}

const deliveryStates = () =>
  world.sql<{ status: string; attempts: number; nextAttemptAt: Date | null }[]>`
    select status, attempts, next_attempt_at from webhook_delivery order by id`

describe('claiming deliveries', () => {
  test('hands out what to send: the stored bytes, the secret, the causing request', async () => {
    const { endpoint, eventIds } = await prepare(1)
    const [delivery] = await claim()
    const [event] = await world.sql`select event.body from event`
    expect(delivery).toMatchObject({
      endpointId: endpoint.id,
      eventId: eventIds[0],
      body: event?.body,
      url: URL,
      signers: [{ kind: 'hmac', secret: endpoint.secret }],
      headers: {},
      traceParent: null,
      requestId: 'req-test',
      attempts: 0,
    })
  })

  test('gives each delivery to only one of two workers that claim at once', async () => {
    await prepare(200)
    const claimed: string[] = []
    const work = async () => {
      for (let found = 1; found > 0; ) {
        const batch = await claim(7, 300)
        claimed.push(...idsOf(batch))
        found = batch.length
      }
    }
    await Promise.all([work(), work(), work(), work()])
    claimed.push(...idsOf(await claim(200, 300)))
    expect(claimed).toHaveLength(200)
    expect(new Set(claimed).size).toBe(200)
  })

  test('lets another worker take over when the lease ends, and ignores the result of the first worker', async () => {
    await prepare(1)
    const [late] = await claim()
    expect(await claim()).toEqual([])
    await endLeases(world.sql)
    const [second] = await claim()
    if (!late || !second) throw new Error('nothing was claimed')
    expect(second.id).toBe(late.id)
    expect(second.lease).not.toBe(late.lease)

    expect(await recordAttempts(world.ctx, [{ delivery: late, result: failureOf(500) }])).toBe(0)
    expect(await recordAttempts(world.ctx, [{ delivery: second, result: resultOf({}) }])).toBe(1)
    expect(await recordAttempts(world.ctx, [{ delivery: second, result: resultOf({}) }])).toBe(0)
    expect(await deliveryStates()).toMatchObject([{ status: 'delivered', attempts: 1 }])
    expect(
      await world.sql`select jsonb_array_length(attempt_log) as kept from webhook_delivery`,
    ).toEqual([{ kept: 1 }])
  })

  test('claims few deliveries of a backlog at a time, and first those of the endpoint with the fewest in flight', async () => {
    const busy = await prepare(50)
    expect(await claim(10, 4)).toHaveLength(4)
    const quiet = await prepare(2)
    const next = await claim(3, 8)
    expect(next.filter((each) => each.endpointId === quiet.endpoint.id)).toHaveLength(2)
    expect(next.filter((each) => each.endpointId === busy.endpoint.id)).toHaveLength(1)
  })

  test('counts the attempts under way at an endpoint over all workers', async () => {
    await prepare(50)
    expect(await claim(100, 4)).toHaveLength(4)
    expect(await claim(100, 4)).toHaveLength(0)
    expect(await claim(100, 6)).toHaveLength(2)
    await endLeases(world.sql)
    expect(await claim(100, 4)).toHaveLength(4)
  })

  test('gives back what was not tried', async () => {
    await prepare(2)
    const claimed = await claim()
    await releaseDeliveries(world.ctx, claimed)
    expect(await deliveryStates()).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
    expect(idsOf(await claim())).toEqual(idsOf(claimed))
  })

  test('ignores an attempt whose endpoint was deleted meanwhile', async () => {
    const { userId, endpoint } = await prepare(1)
    const [delivery] = await claim()
    if (!delivery) throw new Error('nothing was claimed')
    await deleteEndpoint(world.as(userId), endpoint.id)
    expect(await recordAttempts(world.ctx, [{ delivery, result: resultOf({}) }])).toBe(0)
    expect(await deliveryStates()).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('places for endpoints in trouble', () => {
  const claimApart = async (limit: number, degraded: number, slow: string[] = []) => {
    const options = { perEndpoint: 8, leaseMs: LEASE_MS, slow }
    return [
      ...(await claimDeliveries(world.ctx, { ...options, lane: 'healthy', limit })),
      ...(await claimDeliveries(world.ctx, { ...options, lane: 'degraded', limit: degraded })),
    ]
  }

  test('are the only places of failing and slow endpoints, and a failing endpoint has one at a time', async () => {
    const [good, failing, slow] = [await prepare(20), await prepare(20), await prepare(20)]
    await world.sql`
      update webhook_endpoint set failing_since = ${world.clock.now()}
      where id = ${failing.endpoint.id}`
    const claimed = await claimApart(64, 32, [slow.endpoint.id])
    const of = ({ endpoint }: typeof good) =>
      claimed.filter(({ endpointId }) => endpointId === endpoint.id)
    expect(of(good)).toHaveLength(8)
    expect(of(failing)).toHaveLength(1)
    expect(of(slow)).toHaveLength(8)
    expect(claimed.filter(({ degraded }) => degraded)).toHaveLength(9)
    expect(of(good).some(({ degraded }) => degraded)).toBe(false)
  })

  test('are shared in turns, and leave the others alone when they are full', async () => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => prepare(8)))
    const good = await prepare(8)
    const ids = slow.map(({ endpoint }) => endpoint.id)
    const first = await claimApart(4, 5, ids)
    expect(first.filter(({ degraded }) => degraded)).toHaveLength(5)
    expect(new Set(first.map(({ endpointId }) => endpointId)).size).toBe(6)
    const second = await claimApart(4, 5, ids)
    // Endpoints without a claimed delivery come first.
    const held = [...first, ...second].filter(({ degraded }) => degraded)
    expect(new Set(held.map(({ endpointId }) => endpointId)).size).toBe(10)
    expect(await claimApart(4, 0, ids)).toEqual([])
    expect(second.filter(({ endpointId }) => endpointId === good.endpoint.id)).toHaveLength(4)
  })

  test('are left with the first success', async () => {
    const { endpoint } = await prepare(20)
    await world.sql`
      update webhook_endpoint set failing_since = ${world.clock.now()} where id = ${endpoint.id}`
    const [one, ...more] = await claimApart(64, 32)
    if (!one) throw new Error('nothing was claimed')
    expect(more).toEqual([])
    await recordAttempts(world.ctx, [{ delivery: one, result: resultOf({}) }])
    const claimed = await claimApart(64, 32)
    expect(claimed).toHaveLength(8)
    expect(claimed.some(({ degraded }) => degraded)).toBe(false)
  })

  test('do not wait behind a backlog: of many endpoints every one has its chance', async () => {
    const busy = await Promise.all(Array.from({ length: 20 }, () => prepare(30)))
    const late = await prepare(1)
    let rounds = 0
    for (let found = false; !found; rounds++) {
      const claimed = await claimApart(2, 0)
      found = claimed.some(({ endpointId }) => endpointId === late.endpoint.id)
      await recordAll(world.ctx, claimed, resultOf({}))
    }
    // In the order of age, this delivery would come after 600 others, in round 300.
    expect(busy).toHaveLength(20)
    expect(rounds).toBeLessThan(200)
  })
})
