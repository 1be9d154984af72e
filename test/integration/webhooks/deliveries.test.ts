import { beforeEach, describe, expect, test } from 'vitest'
import { exampleEventData } from '../../../src/api/openapi/webhooks.ts'
import type { DeliveryView } from '../../../src/domain/events/delivery/delivery-view.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  getDelivery,
  ListDeliveries,
  listDeliveries,
  ReplayDeliveries,
  recordAttempts,
  relayEvents,
  replayDeliveries,
  resendDelivery,
} from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit, type NewEvent } from '../../../src/outbox/emit.ts'
import { storedDeliveries } from '../../support/deliveries.ts'
import { failureOf, openWorld, recordAll, resultOf, type World } from './support/world.ts'

const LEASE_MS = 30_000
const DAY_MS = 24 * 3_600_000
const LONG_AGO = '2020-01-01T00:00:00Z'

let world: World
let userId: string
let endpointId: string
beforeEach(async () => {
  world = await openWorld()
  userId = await world.addUser()
  endpointId = (await world.addEndpoint(userId, 'https://hooks.example.com/')).id
})

type Deliveries = readonly ClaimedDelivery[]

/**
 * Makes events a second after the last ones, and relays them. Returns the deliveries that the
 * worker leases.
 */
const happen = async (count: number, afterMs = 1_000): Promise<Deliveries> => {
  world.clock.move(afterMs)
  await world.emitEvents(userId, count)
  const options = { limit: 1_000, capacity: 1_000, leaseMs: LEASE_MS }
  return (await relayEvents(world.ctx, options)).deliveries
}

/** Records one attempt for each delivery. */
const record = (deliveries: Deliveries, resultAt: (index: number) => AttemptResult['result']) => {
  const startedAt = world.clock.now()
  const attempts = deliveries.map((delivery, index) => ({
    delivery,
    result: { ...resultAt(index), startedAt },
  }))
  return recordAttempts(world.ctx, attempts)
}

const arrive = (deliveries: Deliveries) => record(deliveries, () => resultOf({}))
const stored = () => storedDeliveries(world.sql)
const me = () => world.as(userId)
const list = async (query: Record<string, unknown> = {}) =>
  listDeliveries(me(), endpointId, ListDeliveries.parse(query))
const replay = (wish: Record<string, unknown>) =>
  replayDeliveries(me(), endpointId, ReplayDeliveries.parse({ since: LONG_AGO, ...wish }))
const claim = () =>
  claimDeliveries(world.ctx, { limit: 1_000, perEndpoint: 1_000, leaseMs: LEASE_MS })

describe('a first attempt that takes its time', () => {
  test('is listed as pending, by the id that it keeps, until it has a result', async () => {
    const [first, second] = pairOf(await happen(2))
    await arrive([second])
    expect((await list()).items.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'delivered'],
      [first.id, 'pending'],
    ])
    const pending = await getDelivery(me(), endpointId, first.id)
    expect(pending).toMatchObject({ status: 'pending', attempts: 0, attemptLog: [] })
    expect(Number(pending.nextAttemptAt)).toBeGreaterThan(Date.now())
    expect(await claim()).toEqual([])
    await expect(resendDelivery(me(), endpointId, first.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'An attempt at this delivery is in flight.',
    })
    expect(await recordAttempts(world.ctx, [{ delivery: first, result: failureOf(500) }])).toBe(1)
    expect(await getDelivery(me(), endpointId, first.id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      attemptLog: [{ number: 1, statusCode: 500 }],
    })
    expect((await list()).total).toBe(2)
  })
})

describe('a delivery', () => {
  test('shows what it is, when, and what the receiver answered', async () => {
    const held = await happen(2)
    const [first, second] = pairOf(held)
    const startedAt = world.clock.now()
    await record(held, (index) =>
      index === 0
        ? resultOf({ durationMs: 31, statusCode: 202 })
        : resultOf({ responseBody: 'Größe "1", {2}\\' }),
    )
    const shown = await getDelivery(me(), endpointId, first.id)
    expect(shown).toEqual({
      id: first.id,
      eventId: first.eventId,
      event: 'user.verified',
      campaignId: null,
      test: false,
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      deliveredAt: world.clock.now(),
      createdAt: startedAt,
      attemptLog: [
        {
          number: 1,
          startedAt,
          durationMs: 31,
          statusCode: 202,
          errorKind: null,
          responseBody: 'ok',
        },
      ],
    })
    expect((await getDelivery(me(), endpointId, second.id)).attemptLog).toMatchObject([
      { responseBody: 'Größe "1", {2}\\' },
    ])
    const { attemptLog: _, ...summary } = shown
    expect((await list()).items.find(({ id }) => id === first.id)).toEqual(summary)
  })

  test('keeps its newest twenty attempts, with their numbers', async () => {
    const held = await happen(1)
    const id = held[0]?.id ?? ''
    await arrive(held)
    for (let number = 2; number <= 23; number++) {
      await resendDelivery(me(), endpointId, id)
      const claimed = await claim()
      const result = failureOf(500 + number)
      await recordAll(world.ctx, claimed, result)
    }
    const { attempts, attemptLog } = await getDelivery(me(), endpointId, id)
    expect(attempts).toBe(23)
    expect(attemptLog.map(({ number, statusCode }) => [number, statusCode])).toEqual(
      Array.from({ length: 20 }, (_, index) => [index + 4, 504 + index]),
    )
  })

  test('is no delivery of another endpoint, nor is what was never made', async () => {
    const held = await happen(1)
    const id = held[0]?.id ?? ''
    await arrive(held)
    const other = await world.addEndpoint(userId, 'https://other.example.com/')
    const notFound = { code: 'not_found' }
    await expect(getDelivery(me(), other.id, id)).rejects.toMatchObject(notFound)
    await expect(resendDelivery(me(), other.id, id)).rejects.toMatchObject(notFound)
    for (const wrong of [newId(), 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'nothing']) {
      await expect(getDelivery(me(), endpointId, wrong)).rejects.toMatchObject(notFound)
      await expect(resendDelivery(me(), endpointId, wrong)).rejects.toMatchObject(notFound)
    }
    expect((await listDeliveries(me(), other.id, ListDeliveries.parse({}))).items).toEqual([])
  })

  test('is listed newest first, by page and by cursor, with every filter', async () => {
    await arrive(await happen(7))
    await record(await happen(2), () => failureOf(500))
    const between = world.clock.now()
    await record(await happen(6), (index) => (index < 4 ? resultOf({}) : failureOf(500)))
    const data = exampleEventData('campaign.funded') as NewEvent['data']
    const funded = { type: 'campaign.funded', data, audience: [userId], campaignId: null }
    await emit(world.ctx, [funded as NewEvent])
    await arrive(await happen(5, 0))
    const { items: all, total } = await list({ limit: 100 })
    expect(total).toBe(21)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id),
    )
    const filters: [Record<string, unknown>, (each: DeliveryView) => boolean][] = [
      [{ status: ['delivered'] }, ({ status }) => status === 'delivered'],
      [{ status: ['pending'] }, ({ status }) => status === 'pending'],
      [{ status: ['pending', 'delivered', 'pending'] }, () => true],
      [{ status: ['exhausted', 'cancelled'] }, () => false],
      [{ event: 'user.verified' }, ({ event }) => event === 'user.verified'],
      [{ event: 'campaign.funded' }, ({ event }) => event === 'campaign.funded'],
      [{ event: 'donation.failed' }, () => false],
      [{ since: between.toISOString() }, ({ createdAt }) => createdAt >= between],
      [{ until: between.toISOString() }, ({ createdAt }) => createdAt < between],
      [
        { until: between.toISOString(), status: ['delivered'], event: 'user.verified' },
        (each) => each.createdAt < between && each.status === 'delivered',
      ],
    ]
    for (const [query, passes] of filters) {
      const wanted = all.filter(passes)
      expect(await list({ ...query, limit: 100 })).toMatchObject({ total: wanted.length })
      expect((await list({ ...query, limit: 100 })).items).toEqual(wanted)
      expect((await list({ ...query, limit: 3, page: 2 })).items).toEqual(wanted.slice(3, 6))
    }
    const walked: DeliveryView[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ limit: 4, ...(cursor ? { cursor } : {}) })
      walked.push(...page.items)
      cursor = page.nextCursor
    }
    expect(walked).toEqual(all)
  })

  test('is sent again where its owner asks, and shows both attempts', async () => {
    const held = await happen(2)
    const [first, second] = pairOf(held)
    await arrive(held)
    const again = await resendDelivery(me(), endpointId, first.id)
    expect(again).toMatchObject({ id: first.id, status: 'pending', attempts: 1, deliveredAt: null })
    const [claimed, ...others] = await claim()
    expect(others).toEqual([])
    if (!claimed) throw new Error('it is due')
    expect(claimed).toMatchObject({ id: first.id, eventId: first.eventId, scheduleAttempts: 0 })
    await recordAttempts(world.ctx, [{ delivery: claimed, result: failureOf(503) }])
    expect(await getDelivery(me(), endpointId, first.id)).toMatchObject({
      status: 'pending',
      attempts: 2,
      attemptLog: [
        { number: 1, statusCode: 200, responseBody: 'ok' },
        { number: 2, statusCode: 503 },
      ],
    })
    const listed = await list()
    expect(listed.total).toBe(2)
    expect(listed.items.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
      [`${first.id} pending`, `${second.id} delivered`].sort(),
    )
    expect((await list({ status: ['delivered'] })).items.map(({ id }) => id)).toEqual([second.id])
  })

  test('is replayed by its status, and was never missed', async () => {
    await arrive(await happen(3))
    await record(await happen(2), () => failureOf(410))
    await world.sql`
      update webhook_endpoint set status = 'active', disabled_reason = null where id = ${endpointId}`
    const asked = { includeUndelivered: true, dryRun: true }
    expect(await replay(asked)).toMatchObject({ deliveries: 2, undelivered: 0 })
    const status = ['delivered', 'cancelled']
    expect(await replay({ ...asked, status })).toMatchObject({ deliveries: 5, undelivered: 0 })
    expect(await replay({ status: ['delivered'] })).toMatchObject({
      deliveries: 3,
      replayed: 3,
      remaining: 0,
    })
    expect(await claim()).toHaveLength(3)
    expect(await replay({ status, dryRun: true })).toMatchObject({ deliveries: 2 })
    expect(await stored()).toHaveLength(5)
    expect((await list()).total).toBe(5)
  })

  test('is recorded once, however often that is tried', async () => {
    const held = await happen(5)
    expect(await arrive(held)).toBe(5)
    expect(await arrive(held)).toBe(0)
    expect((await stored()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1])
  })

  test('is missed by nothing that is replayed in the last day before its event is removed', async () => {
    const late = await world.addEndpoint(userId, 'https://late.example.com/')
    await world.sql`update webhook_endpoint set status = 'disabled' where id = ${late.id}`
    await arrive(await happen(1))
    await world.sql`update webhook_endpoint set status = 'active' where id = ${late.id}`
    const missed = async () => {
      const wish = ReplayDeliveries.parse({
        since: LONG_AGO,
        includeUndelivered: true,
        dryRun: true,
      })
      return (await replayDeliveries(me(), late.id, wish)).undelivered
    }
    world.clock.move(89 * DAY_MS - 1)
    expect(await missed()).toBe(1)
    world.clock.move(1)
    expect(await missed()).toBe(0)
  })

  test('that arrives ends the failing of its endpoint, also beside a failure', async () => {
    const since = async () => (await world.sql`select failing_since from webhook_endpoint`)[0]
    await record(await happen(1), () => failureOf(500))
    expect(await since()).not.toEqual({ failingSince: null })
    await world.sql`update webhook_delivery set next_attempt_at = ${world.clock.now()}`
    const result = resultOf({})
    await recordAll(world.ctx, await claim(), result)
    expect(await since()).toEqual({ failingSince: null })
    const held = await happen(2)
    await world.sql`update webhook_endpoint set failing_since = now()`
    await record(held, (index) => (index === 0 ? failureOf(500) : result))
    expect(await since()).toEqual({ failingSince: null })
  })
})

const pairOf = ([first, second]: Deliveries): [ClaimedDelivery, ClaimedDelivery] => {
  if (!first || !second) throw new Error('two deliveries were leased')
  return [first, second]
}
