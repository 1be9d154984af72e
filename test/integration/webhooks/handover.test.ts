import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readDeliveries } from '../../../src/domain/stats/webhooks.ts'
import {
  type ClaimedDelivery,
  changeEndpoint,
  claimDeliveries,
  deleteEndpoint,
  openHandover,
  ReplayDeliveries,
  recordAttempts,
  replayDeliveries,
  takeBackHandovers,
} from '../../../src/domain/webhook/index.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { type Handover, type HandoverTaker, relayEvents } from '../../../src/outbox/relay.ts'
import { createHandovers } from '../../../worker/handovers.ts'
import {
  createDeliverWebhooksJob,
  type DeliverOptions,
} from '../../../worker/jobs/deliver-webhooks.ts'
import { createRelayEventsJob } from '../../../worker/jobs/relay-events.ts'
import { storedDeliveries } from '../../support/deliveries.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { createWorld, sandboxDeliverer, type World } from './support/world.ts'

const WAIT = { timeout: 20_000, interval: 10 }
const LEASE_MS = 30_000
const URL = 'https://hooks.example.com/'

let world: World
const open: { close(): Promise<void> }[] = []
beforeEach(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await world.close()
})

const receiverOf = async (...args: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...args)
  open.push(receiver)
  return receiver
}

/** Both jobs of a worker, as it wires them. */
const startWorker = (options: DeliverOptions = {}) => {
  const deliveries = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock), options)
  const relay = createRelayEventsJob(world.ctx, { handovers: deliveries.handovers })
  open.push({
    close: async () => {
      await Promise.all([relay.stop(), deliveries.stop()])
    },
  })
  return {
    start() {
      relay.start()
      deliveries.start()
    },
    deliveries,
    relay,
  }
}

/** A worker that takes what it is given and does nothing with it. */
const startTaker = (room = 1_000, limits: Partial<HandoverTaker> = {}) => {
  const taken: Handover[] = []
  const taker: HandoverTaker = {
    leaseMs: LEASE_MS,
    room: () => 1_000,
    roomFor: () => room,
    take: (handover) => taken.push(handover),
    ...limits,
  }
  return { taken, relay: (limit = 100) => relayEvents(world.ctx, { limit, taker }) }
}

/** A worker's handovers, and what they have queued. */
const startHandovers = () => {
  const added: ClaimedDelivery[] = []
  const handovers = createHandovers(world.ctx, {
    leaseMs: LEASE_MS,
    most: 100,
    waiting: () => 0,
    roomFor: () => 100,
    add: (deliveries) => added.push(...deliveries),
  })
  return { added, handovers }
}

const rows = () => storedDeliveries(world.sql)
const held = () => world.sql`select 1 from webhook_handover`
const idsReceived = (receiver: Receiver) =>
  receiver.received.map(({ headers }) => String(headers['webhook-id'])).sort()

describe('a handover', () => {
  it('holds what goes to endpoints that answer; the rest becomes rows that are due', async () => {
    const userId = await world.addUser()
    const names = ['plain', 'paused', 'ordered', 'limited', 'failing', 'disabled'] as const
    const ids = new Map<string, string>()
    for (const name of names) ids.set(name, (await world.addEndpoint(userId, URL)).id)
    const set = (name: string, change: Parameters<typeof changeEndpoint>[2]) =>
      changeEndpoint(world.as(userId), ids.get(name) ?? '', change)
    await set('paused', { status: 'paused' })
    await set('ordered', { ordered: true })
    await set('limited', { ratePerMinute: 60 })
    await world.sql`
      update webhook_endpoint set failing_since = now() where id = ${ids.get('failing') ?? ''}`
    await world.sql`
      update webhook_endpoint set status = 'disabled' where id = ${ids.get('disabled') ?? ''}`
    await world.emitEvents(userId, 2)
    const { taken, relay } = startTaker()
    expect(await relay()).toBe(2)
    expect(taken.flatMap(({ deliveries }) => deliveries.map((each) => each.endpointId))).toEqual([
      ids.get('plain'),
      ids.get('plain'),
    ])
    const due = new Set((await rows()).map((row) => row.endpoint_id))
    expect(due).toEqual(
      new Set(['paused', 'ordered', 'limited', 'failing'].map((name) => ids.get(name))),
    )
    expect(await rows()).toHaveLength(8)
  })

  it('holds no more of an endpoint than there is room for', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 5)
    const { taken, relay } = startTaker(3)
    await relay()
    expect(taken[0]?.deliveries).toHaveLength(3)
    expect(await rows()).toHaveLength(2)
    expect(world.woken).toContain('deliveries')
  })

  it('holds no more of all endpoints together', async () => {
    const userId = await world.addUser()
    for (let index = 0; index < 4; index++) await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    const { taken, relay } = startTaker(1_000, { room: () => 5 })
    await relay()
    expect(taken[0]?.deliveries).toHaveLength(5)
    expect(await rows()).toHaveLength(7)
  })

  it('is given to nobody when its events could not be relayed', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 1)
    const taken: Handover[] = []
    // A lease that no database can write.
    const failing: HandoverTaker = {
      leaseMs: Number.NaN,
      room: () => 1,
      roomFor: () => 1,
      take: (handover) => taken.push(handover),
    }
    await expect(relayEvents(world.ctx, { limit: 1, taker: failing })).rejects.toThrow()
    expect(taken).toEqual([])
    expect(await world.relayAll()).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  it('leaves what was delivered, a row for many, and then nothing of itself', async () => {
    const userId = await world.addUser()
    const receivers = [await receiverOf(), await receiverOf()]
    for (const { url } of receivers) await world.addEndpoint(userId, url)
    const eventIds = await world.emitEvents(userId, 30)
    startWorker().start()
    await vi.waitFor(async () => expect(await rows()).toHaveLength(60), WAIT)
    for (const row of await rows()) {
      expect(row).toMatchObject({ status: 'delivered', attempts: 1, at_once: true })
    }
    for (const receiver of receivers) expect(idsReceived(receiver)).toEqual([...eventIds].sort())
    const batches = await world.sql`select 1 from webhook_delivered`
    expect(batches.length).toBeLessThan(30)
    await vi.waitFor(async () => expect(await held()).toEqual([]), WAIT)
  })

  it('ends at an endpoint that fails: what it tried is due by the schedule, the rest at once', async () => {
    const userId = await world.addUser()
    const failing = await receiverOf((response) => response.writeHead(500).end())
    const good = await receiverOf()
    await world.addEndpoint(userId, failing.url)
    await world.addEndpoint(userId, good.url)
    await world.emitEvents(userId, 40)
    startWorker({ perEndpoint: 2 }).start()
    await vi.waitFor(async () => expect(await held()).toEqual([]), WAIT)
    await vi.waitFor(async () => {
      const all = await rows()
      expect(all.filter(({ status }) => status === 'delivered')).toHaveLength(40)
      expect(all.filter(({ status }) => status === 'pending')).toHaveLength(40)
    }, WAIT)
    const [state] = await world.sql`
      select count(*) filter (where attempts > 0 and next_attempt_at > ${world.clock.now()})::int
               as scheduled,
             count(*) filter (where attempts > 0 and next_attempt_at <= ${world.clock.now()})::int
               as wrong
      from webhook_delivery where status = 'pending' and lease is null`
    expect(state?.scheduled).toBeGreaterThan(0)
    expect(state?.wrong).toBe(0)
    expect(
      await world.sql`select 1 from webhook_endpoint where failing_since is not null`,
    ).toHaveLength(1)
  })

  it('is taken back when its lease ends: what is not recorded gets a row, what is keeps its record', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    const { taken, relay } = startTaker()
    await relay()
    const [handover] = taken
    if (!handover) throw new Error('nothing was handed over')
    const { ready } = await openHandover(world.ctx, handover)
    const [first] = ready
    if (!first) throw new Error('nothing is ready')
    expect(await recordAttempts(world.ctx, [{ delivery: first, result: OK }])).toBe(1)
    expect(await takeBackHandovers(world.ctx)).toBe(0)
    world.clock.move(LEASE_MS)
    expect(await takeBackHandovers(world.ctx)).toBe(1)
    expect(await held()).toEqual([])
    expect((await rows()).map(({ status }) => status).sort()).toEqual([
      'delivered',
      'pending',
      'pending',
    ])
    // The worker that was too slow counts for nothing: its deliveries are another one's.
    const late = ready.slice(1).map((delivery) => ({ delivery, result: OK }))
    expect(await recordAttempts(world.ctx, late)).toBe(0)
    expect(
      await claimDeliveries(world.ctx, { limit: 10, perEndpoint: 10, leaseMs: LEASE_MS }),
    ).toHaveLength(2)
  })

  it('is taken back once, however many workers look', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 20)
    const { relay } = startTaker()
    for (let batch = 0; batch < 4; batch++) await relay(5)
    world.clock.move(LEASE_MS)
    const counts = await Promise.all(Array.from({ length: 6 }, () => takeBackHandovers(world.ctx)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
    expect(await rows()).toHaveLength(20)
  })

  it('forgets what an endpoint would have had that was deleted meanwhile', async () => {
    const userId = await world.addUser()
    const kept = await world.addEndpoint(userId, URL)
    const gone = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 1)
    const { taken, relay } = startTaker()
    await relay()
    await deleteEndpoint(world.as(userId), gone.id)
    const [handover] = taken
    if (!handover) throw new Error('nothing was handed over')
    const { ready, others } = await openHandover(world.ctx, handover)
    expect(ready.map(({ endpointId }) => endpointId)).toEqual([kept.id])
    expect(others.map(({ endpointId }) => endpointId)).toEqual([gone.id])
    world.clock.move(LEASE_MS)
    await takeBackHandovers(world.ctx)
    expect((await rows()).map((row) => row.endpoint_id)).toEqual([kept.id])
  })

  it('leaves what an endpoint would have had that was disabled meanwhile as cancelled', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 2)
    await startTaker().relay()
    await world.sql`update webhook_endpoint set status = 'disabled' where id = ${id}`
    world.clock.move(LEASE_MS)
    await takeBackHandovers(world.ctx)
    expect((await rows()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })

  it('is forgotten when each delivery is recorded, not when one is said to be it twice', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    const { added, handovers } = startHandovers()
    await relayEvents(world.ctx, { limit: 10, taker: handovers.taker })
    await vi.waitFor(() => expect(added).toHaveLength(3), WAIT)
    const [first, second, third] = added
    if (!first || !second || !third) throw new Error('three were handed over')
    for (const one of [first, first, second, first]) await handovers.done(one)
    expect(await held()).toHaveLength(1)
    await handovers.done(third)
    expect(await held()).toEqual([])
  })

  it('that comes while its worker stops is not begun, and due at once', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    const { added, handovers } = startHandovers()
    let stopped: Promise<void> | undefined
    const taker: HandoverTaker = {
      ...handovers.taker,
      take(handover) {
        handovers.taker.take(handover)
        stopped = handovers.stop()
      },
    }
    await relayEvents(world.ctx, { limit: 10, taker })
    await stopped
    expect(added).toEqual([])
    expect((await rows()).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array.from({ length: 3 }, () => 'pending 0'),
    )
    expect(await held()).toEqual([])
  })

  it('given back by a worker that stops is due at once', async () => {
    const userId = await world.addUser()
    const slow = await receiverOf(() => {})
    await world.addEndpoint(userId, slow.url)
    await world.emitEvents(userId, 30)
    const worker = startWorker({ perEndpoint: 2, slowMs: 60_000 })
    worker.start()
    await vi.waitFor(() => expect(slow.received).toHaveLength(2), WAIT)
    await Promise.all(open.splice(1).map((each) => each.close()))
    expect(await held()).toEqual([])
    expect(
      await world.sql`
        select count(*)::int as due from webhook_delivery
        where status = 'pending' and next_attempt_at <= ${world.clock.now()}`,
    ).toEqual([{ due: 30 }])
    expect(worker.deliveries.handovers.room()).toBe(0)
  })

  it('is not what an endpoint never had, for a replay', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 2)
    await startTaker().relay()
    const late = await world.addEndpoint(userId, URL)
    const missedBy = async (endpointId: string) => {
      const since = new Date(world.clock.now().getTime() - 90 * 86_400_000).toISOString()
      const wish = ReplayDeliveries.parse({ since, includeUndelivered: true, dryRun: true })
      return (await replayDeliveries(world.as(userId), endpointId, wish)).undelivered
    }
    expect(await missedBy(id)).toBe(0)
    expect(await missedBy(late.id)).toBe(2)
    // Nor what is about to be pruned: its deliveries would outlive it.
    const before = new Date(world.clock.now().getTime() - 89.5 * 86_400_000)
    await world.sql`update event set created_at = ${before}`
    expect(await missedBy(late.id)).toBe(0)
  })

  it('is counted as waiting until it is recorded, and as late when its lease has ended', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    await startTaker().relay()
    const read = async () =>
      Object.fromEntries((await readDeliveries(world.ctx)).map(([name, , value]) => [name, value]))
    expect(await read()).toMatchObject({
      fundproof_webhook_deliveries_pending: 3,
      fundproof_webhook_overdue_seconds: 0,
    })
    world.clock.move(LEASE_MS + 7_000)
    expect(await read()).toMatchObject({ fundproof_webhook_overdue_seconds: 7 })
  })
})

describe('what is claimed', () => {
  it('leaves out an endpoint that has enough of what was handed over under way', async () => {
    const [one, other] = [await world.addUser(), await world.addUser()]
    const slow = await receiverOf(() => {})
    const ordered = await receiverOf()
    await world.addEndpoint(one, slow.url)
    const { id } = await world.addEndpoint(other, ordered.url)
    await changeEndpoint(world.as(other), id, { ordered: true })
    await world.emitEvents(one, 10)
    const worker = startWorker({ perEndpoint: 2, slowMs: 50 })
    worker.start()
    // Given back by the two that keep it waiting, and due.
    await vi.waitFor(
      async () => expect((await rows()).filter(({ at_once }) => !at_once)).toHaveLength(8),
      WAIT,
    )
    for (let claims = 1; claims <= 3; claims++) {
      await world.emitEvents(other, 1)
      worker.relay.wake()
      await vi.waitFor(() => expect(ordered.received).toHaveLength(claims), WAIT)
    }
    expect(slow.received).toHaveLength(2)
  })

  it('goes on beside handovers that do not end', async () => {
    const [one, other] = [await world.addUser(), await world.addUser()]
    const busy = await receiverOf((response) => setTimeout(() => response.end(), 40))
    const ordered = await receiverOf()
    await world.addEndpoint(one, busy.url)
    const { id } = await world.addEndpoint(other, ordered.url)
    await changeEndpoint(world.as(other), id, { ordered: true })
    const wanted = await world.emitEvents(other, 80, newId())
    await world.emitEvents(one, 100)
    const worker = startWorker({ perEndpoint: 2 })
    worker.start()
    // As much comes as goes: some of it waits all the time.
    let over = false
    const flood = async (): Promise<void> => {
      for (let seen = 0; !over; ) {
        await vi.waitFor(() => expect(busy.received.length).toBeGreaterThan(seen), WAIT)
        const gone = busy.received.length - seen
        seen += gone
        await world.emitEvents(one, gone)
        worker.relay.wake()
      }
    }
    const flooding = flood()
    await vi.waitFor(() => expect(ordered.received).toHaveLength(80), { ...WAIT, timeout: 15_000 })
    over = true
    await flooding
    expect(idsReceived(ordered)).toEqual([...wanted].sort())
  })
})

describe('a relay whose worker has no room', () => {
  it('gathers for a little while where there is some, and hands over without being told', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    const { taken } = startTaker()
    let told = 0
    let room = 100
    const relay = createRelayEventsJob(world.ctx, {
      sweepMs: 3_600_000,
      handovers: {
        leaseMs: LEASE_MS,
        most: 100,
        room: () => room,
        roomFor: () => room,
        take: (handover) => taken.push(handover),
        whenRoom: () => told++,
      },
    })
    open.push({ close: () => relay.stop() })
    await world.emitEvents(userId, 2)
    relay.start()
    await vi.waitFor(() => expect(taken).toHaveLength(1), WAIT)
    expect(told).toBe(0)
    room = 49
    await world.emitEvents(userId, 3)
    relay.wake()
    await vi.waitFor(() => expect(taken).toHaveLength(2), WAIT)
    expect(taken[1]?.deliveries).toHaveLength(3)
  })

  it('waits for some, and goes the long way when none comes', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 2)
    let room = 0
    let tell = (): void => {}
    const { taken } = startTaker()
    const relay = createRelayEventsJob(world.ctx, {
      sweepMs: 20,
      handovers: {
        leaseMs: LEASE_MS,
        most: 1,
        room: () => room,
        roomFor: () => room,
        take: (handover) => taken.push(handover),
        whenRoom(listener) {
          tell = listener
        },
      },
    })
    open.push({ close: () => relay.stop() })
    room = 1
    relay.start()
    await vi.waitFor(() => expect(taken).toHaveLength(2), WAIT)
    expect(await rows()).toEqual([])
    room = 0
    await world.emitEvents(userId, 2)
    tell()
    await vi.waitFor(async () => expect(await rows()).toHaveLength(2), WAIT)
    expect(taken).toHaveLength(2)
  })
})

const OK = {
  startedAt: new Date(),
  durationMs: 3,
  statusCode: 204,
  errorKind: null,
  responseBody: '',
  retryAfterMs: null,
}
