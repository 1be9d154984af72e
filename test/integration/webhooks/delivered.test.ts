import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import type { DeliveryView } from '../../../src/domain/webhook/delivery-view.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  getDelivery,
  keepHanded,
  ListDeliveries,
  listDeliveries,
  openHandover,
  pruneDelivered,
  ReplayDeliveries,
  recordAttempts,
  replayDeliveries,
  resendDelivery,
  takeBackHandovers,
} from '../../../src/domain/webhook/index.ts'
import { exampleEventData } from '../../../src/http/openapi/webhooks.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { emit, type NewEvent } from '../../../src/outbox/emit.ts'
import { type Handover, relayEvents } from '../../../src/outbox/relay.ts'
import { storedDeliveries } from '../../support/deliveries.ts'
import { createWorld, failureOf, idsOf, resultOf, type World } from './support/world.ts'

const LEASE_MS = 30_000
const DAY_MS = 24 * 3_600_000
const LONG_AGO = '2020-01-01T00:00:00Z'

let world: World
let userId: string
let endpointId: string
beforeEach(async () => {
  world = await createWorld()
  userId = await world.addUser()
  endpointId = (await world.addEndpoint(userId, 'https://hooks.example.com/')).id
})
afterEach(() => world.close())

/** Relays what there is to a worker that takes all of it. */
const handOver = async (): Promise<ClaimedDelivery[]> => {
  const taken: Handover[] = []
  const taker = {
    leaseMs: LEASE_MS,
    room: () => 1_000,
    roomFor: () => 1_000,
    take: (handover: Handover) => taken.push(handover),
  }
  await relayEvents(world.ctx, { limit: 1_000, taker })
  const opened = await Promise.all(taken.map((handover) => openHandover(world.ctx, handover)))
  return opened.flatMap(({ ready }) => ready)
}

/** Events that come this much after the others, on their way to a worker. */
const happen = async (count: number, afterMs = 1_000): Promise<ClaimedDelivery[]> => {
  world.clock.move(afterMs)
  await world.emitEvents(userId, count)
  return handOver()
}

const record = (deliveries: readonly ClaimedDelivery[], change: Parameters<typeof resultOf>[0]) =>
  recordAttempts(
    world.ctx,
    deliveries.map((delivery) => ({
      delivery,
      result: resultOf({ startedAt: world.clock.now(), ...change }),
    })),
  )

const arrive = (deliveries: readonly ClaimedDelivery[]) => record(deliveries, {})
const stored = () => storedDeliveries(world.sql)
const me = () => world.as(userId)
const list = async (query: Record<string, unknown> = {}) =>
  listDeliveries(me(), endpointId, ListDeliveries.parse(query))
const replay = (wish: Record<string, unknown>) =>
  replayDeliveries(me(), endpointId, ReplayDeliveries.parse({ since: LONG_AGO, ...wish }))
const claim = () =>
  claimDeliveries(world.ctx, { limit: 1_000, perEndpoint: 1_000, leaseMs: LEASE_MS })

describe('what is on its first way', () => {
  it('is listed and told as pending, by the id that it keeps, until it is recorded', async () => {
    const [first, second] = await happen(2)
    if (!first || !second) throw new Error('two were handed over')
    const at = world.clock.now()
    const leaseEnd = new Date(at.getTime() + LEASE_MS)
    const pending = {
      status: 'pending',
      attempts: 0,
      nextAttemptAt: leaseEnd,
      deliveredAt: null,
      createdAt: at,
    }
    const both = await list()
    expect(both).toMatchObject({ total: 2, items: [pending, pending] })
    expect(both.items.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await getDelivery(me(), endpointId, first.id)).toMatchObject({
      ...pending,
      id: first.id,
      eventId: first.eventId,
      attemptLog: [],
    })
    expect((await list({ status: 'delivered' })).items).toEqual([])
    await expect(resendDelivery(me(), endpointId, first.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'An attempt at this delivery is under way.',
    })
    const other = await world.addEndpoint(userId, 'https://other.example.com/')
    await expect(resendDelivery(me(), other.id, first.id)).rejects.toMatchObject({
      code: 'not_found',
    })

    await arrive([first])
    expect((await list()).items.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'pending'],
      [first.id, 'delivered'],
    ])
    await record([second], { statusCode: 500, errorKind: 'http' })
    const told = await getDelivery(me(), endpointId, second.id)
    expect(told).toMatchObject({ status: 'pending', attempts: 1, createdAt: at })
    expect(told.attemptLog).toMatchObject([{ number: 1, statusCode: 500 }])
    expect((await list()).total).toBe(2)
  })

  it('keeps its id and its place in the list when it is taken back', async () => {
    const deliveries = await happen(3)
    const before = (await list()).items
    world.clock.move(LEASE_MS)
    await takeBackHandovers(world.ctx)
    const now = world.clock.now()
    expect((await list()).items).toEqual(before.map((each) => ({ ...each, nextAttemptAt: now })))
    expect(idsOf(await claim())).toEqual(idsOf(deliveries))
  })
})

describe('what arrived at the first attempt', () => {
  it('is stored in rows of at most a hundred, by handover and endpoint', async () => {
    await world.addEndpoint(userId, 'https://other.example.com/')
    const first = await happen(120)
    const second = await happen(3)
    expect(await arrive([...first, ...second])).toBe(246)
    const batches = await world.sql<{ count: number }[]>`
      select cardinality(ids) as count from webhook_delivered order by created_at, count`
    expect(batches.map(({ count }) => count)).toEqual([20, 20, 100, 100, 3, 3])
    expect((await stored()).filter(({ at_once }) => at_once)).toHaveLength(246)
  })

  it('is told as any other: what it is, when, and what the receiver answered', async () => {
    const [first, second] = await happen(2)
    if (!first || !second) throw new Error('two were handed over')
    const startedAt = world.clock.now()
    world.clock.move(40)
    await recordAttempts(world.ctx, [
      { delivery: first, result: resultOf({ startedAt, durationMs: 31, statusCode: 202 }) },
      { delivery: second, result: resultOf({ startedAt, responseBody: 'Größe "1", {2}\\' }) },
    ])
    const told = await getDelivery(me(), endpointId, first.id)
    expect(told).toEqual({
      id: first.id,
      eventId: first.eventId,
      eventType: 'user.verified',
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
    const { attemptLog: _, ...summary } = told
    expect((await list()).items.find(({ id }) => id === first.id)).toEqual(summary)
  })

  it('is no delivery of another endpoint, nor is what was never made', async () => {
    const [delivery] = await happen(1)
    if (!delivery) throw new Error('one was handed over')
    await arrive([delivery])
    const other = await world.addEndpoint(userId, 'https://other.example.com/')
    const notFound = { code: 'not_found' }
    await expect(getDelivery(me(), other.id, delivery.id)).rejects.toMatchObject(notFound)
    await expect(resendDelivery(me(), other.id, delivery.id)).rejects.toMatchObject(notFound)
    for (const id of [newId(), 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'nothing']) {
      await expect(getDelivery(me(), endpointId, id)).rejects.toMatchObject(notFound)
      await expect(resendDelivery(me(), endpointId, id)).rejects.toMatchObject(notFound)
    }
    expect((await listDeliveries(me(), other.id, ListDeliveries.parse({}))).items).toEqual([])
  })

  it('is listed among all others as if each had a row of its own', async () => {
    await arrive(await happen(7))
    const failed = await happen(2)
    await record(failed, { statusCode: 500, errorKind: 'http' })
    const between = world.clock.now().toISOString()
    const mixed = await happen(6)
    await arrive(mixed.slice(0, 4))
    await record(mixed.slice(4), { statusCode: 500, errorKind: 'http' })
    await arrive(await happen(5, 0))
    // Of two types in one handover.
    const data = exampleEventData('campaign.funded') as NewEvent['data']
    const funded = { type: 'campaign.funded', data, audience: [userId], campaignId: null }
    await emit(world.ctx, [funded as NewEvent])
    await arrive(await happen(2))
    const queries: Record<string, unknown>[] = [
      {},
      ...[1, 2, 3, 4].map((page) => ({ page, limit: 6 })),
      { status: 'delivered' },
      { status: 'pending' },
      { status: 'exhausted' },
      { eventType: 'user.verified', limit: 3 },
      { eventType: 'campaign.funded' },
      { since: between },
      { until: between },
      { until: between, status: 'delivered', limit: 2, page: 2 },
    ]
    const pages = async () => {
      const read = []
      for (const query of queries) read.push(await list({ limit: 50, ...query }))
      const walked: DeliveryView[] = []
      let cursor: string | null | undefined
      do {
        const page = await list({ limit: 3, ...(cursor ? { cursor } : {}) })
        walked.push(...page.items)
        cursor = page.nextCursor
      } while (cursor)
      return [...read, walked]
    }
    const before = await pages()
    expect(before.at(-1)).toHaveLength(23)
    expect(before[0]).toMatchObject({ total: 23 })
    expect(await list({ eventType: 'campaign.funded' })).toMatchObject({ total: 1 })
    await unpackAll()
    expect((await stored()).filter(({ at_once }) => at_once)).toEqual([])
    expect(await pages()).toEqual(before)
  })

  it('is sent again as any other, and told once, with both attempts', async () => {
    const [first, second] = await happen(2)
    if (!first || !second) throw new Error('two were handed over')
    await arrive([first, second])
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
    expect((await list({ status: 'delivered' })).items.map(({ id }) => id)).toEqual([second.id])
  })

  it('is replayed where what was delivered is asked for, and is nothing that was missed', async () => {
    await arrive(await happen(3))
    await record(await happen(2), { statusCode: 410, errorKind: 'http' })
    await world.sql`delete from webhook_handover`
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
    expect(await stored()).toHaveLength(8)
    expect((await list()).total).toBe(5)
  })

  it('is recorded once, however often that is tried', async () => {
    const deliveries = await happen(5)
    expect(await arrive(deliveries)).toBe(5)
    expect(await arrive(deliveries)).toBe(0)
    expect(await stored()).toHaveLength(5)
  })

  it('counts for nothing when somebody else has taken it back', async () => {
    const deliveries = await happen(5)
    await arrive(deliveries.slice(0, 2))
    world.clock.move(LEASE_MS)
    expect(await takeBackHandovers(world.ctx)).toBe(1)
    expect(await arrive(deliveries.slice(2))).toBe(0)
    const all = await stored()
    expect(all.map(({ status }) => status).sort()).toEqual([
      'delivered',
      'delivered',
      'pending',
      'pending',
      'pending',
    ])
    expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(5)
  })

  it('is not sent again when it is about to be removed with its event', async () => {
    const [delivery] = await happen(1)
    if (!delivery) throw new Error('one was handed over')
    await arrive([delivery])
    world.clock.move(89 * DAY_MS)
    await expect(resendDelivery(me(), endpointId, delivery.id)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await replay({ status: ['delivered'] })).toMatchObject({ deliveries: 0, remaining: 0 })
    world.clock.move(-1)
    expect(await replay({ status: ['delivered'] })).toMatchObject({ deliveries: 1, replayed: 1 })
  })

  it('counts for nothing while somebody else is taking it back', async () => {
    const deliveries = await happen(2)
    world.clock.move(LEASE_MS)
    let counted: Promise<number> | undefined
    await withTransaction(world.ctx, async (context) => {
      await takeBackHandovers(context)
      counted = arrive(deliveries)
      const waiting = () => world.sql`
        select from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 10_000 })
    })
    expect(await counted).toBe(0)
    expect((await stored()).map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  it('is not made anew by a worker that gives back what it holds', async () => {
    const deliveries = await happen(3)
    await arrive(deliveries.slice(0, 1))
    await keepHanded(world.ctx, deliveries)
    expect((await list()).items.map(({ status }) => status).sort()).toEqual([
      'delivered',
      'pending',
      'pending',
    ])
    expect(await stored()).toHaveLength(3)
  })

  it('is told by its row, where one was made in the moment in which it was recorded', async () => {
    const [delivery] = await happen(1)
    if (!delivery) throw new Error('one was handed over')
    await keepHanded(world.ctx, [delivery])
    expect(await arrive([delivery])).toBe(1)
    expect((await list()).items).toMatchObject([{ id: delivery.id, status: 'pending' }])
    expect((await list()).total).toBe(1)
    expect(await getDelivery(me(), endpointId, delivery.id)).toMatchObject({ status: 'pending' })
  })

  it('ends the failing of its endpoint', async () => {
    const [failing, arriving] = await happen(2)
    if (!failing || !arriving) throw new Error('two were handed over')
    const since = () => world.sql`select failing_since from webhook_endpoint`
    await record([failing], { statusCode: 500, errorKind: 'http' })
    expect(await since()).not.toEqual([{ failing_since: null }])
    await arrive([arriving])
    expect(await since()).toEqual([{ failing_since: null }])
    // Together, where it failed and answered in the same moment.
    const [one, other] = await happenAtFailing()
    await recordAttempts(world.ctx, [
      { delivery: one, result: failureOf(500) },
      { delivery: other, result: resultOf({ startedAt: world.clock.now() }) },
    ])
    expect(await since()).toEqual([{ failing_since: null }])
  })

  it('goes when it is 89 days old, the oldest first, so many at a time', async () => {
    const other = await world.addUser()
    await world.addEndpoint(other, 'https://other.example.com/')
    await arrive(await happen(2))
    await arrive(await happen(1, 1))
    await world.emitEvents(other, 1)
    await arrive(await handOver())
    await arrive(await happen(1, 10 * DAY_MS))
    const left = async () =>
      (
        await world.sql<{ count: number }[]>`
          select cardinality(ids) as count from webhook_delivered order by created_at`
      ).map(({ count }) => count)
    expect(await left()).toEqual([2, 1, 1, 1])
    world.clock.move(79 * DAY_MS - 2)
    expect(await pruneDelivered(world.ctx, 100)).toBe(0)
    world.clock.move(3)
    expect(await pruneDelivered(world.ctx, 1)).toBe(1)
    expect(await left()).toEqual([1, 1, 1])
    expect(await pruneDelivered(world.ctx, 100)).toBe(2)
    expect(await pruneDelivered(world.ctx, 100)).toBe(0)
    expect(await left()).toEqual([1])
  })
})

const happenAtFailing = async (): Promise<[ClaimedDelivery, ClaimedDelivery]> => {
  const [one, other] = await happen(2)
  if (!one || !other) throw new Error('two were handed over')
  await world.sql`update webhook_endpoint set failing_since = now()`
  return [one, other]
}

/** Gives each a row of its own, with nothing else changed: what resending does first. */
const unpackAll = async (): Promise<void> => {
  await world.sql`
    insert into webhook_delivery (id, event_id, endpoint_id, status, attempts, schedule_attempts,
                                  delivered_at, created_at)
    select entry.id, entry.event_id, endpoint_id, 'delivered', 1, 1, delivered_at, created_at
    from webhook_delivered, unnest(ids, event_ids) as entry (id, event_id)`
  await world.sql`delete from webhook_delivered`
}
