import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type ClaimedDelivery,
  changeEndpoint,
  claimDeliveries,
  deleteEndpoint,
  ReplayDeliveries,
  relayEvents,
  replayDeliveries,
} from '../../../src/domain/events/index.ts'
import { readDeliveries, readEvents } from '../../../src/domain/service/stats/webhooks.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import {
  createDeliverWebhooksJob,
  type DeliverOptions,
} from '../../../worker/delivery/deliver-webhooks.ts'
import { endLeases, storedAttempts, storedDeliveries } from '../../support/deliveries.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { openWorld, recordAll, resultOf, sandboxDeliverer, type World } from './support/world.ts'

const WAIT = { timeout: 20_000, interval: 10 }
const LEASE_MS = 30_000
const URL = 'https://hooks.example.com/'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const startJob = (options: DeliverOptions = {}, timeoutMs?: number) => {
  const deliverer = sandboxDeliverer(world.clock, timeoutMs)
  const job = createDeliverWebhooksJob(world.ctx, deliverer, { sweepMs: 50, ...options })
  onTestFinished(() => job.stop())
  job.start()
  return job
}

const relay = (capacity = 1_000, limit = 100) =>
  relayEvents(world.ctx, { limit, capacity, leaseMs: LEASE_MS })

const arrive = (deliveries: readonly ClaimedDelivery[]) =>
  recordAll(world.ctx, deliveries, resultOf({}))

const claim = (limit = 1_000) =>
  claimDeliveries(world.ctx, { limit, perEndpoint: 1_000, leaseMs: LEASE_MS })

const rows = () => storedDeliveries(world.sql)
const due = () => world.sql<{ endpointId: string }[]>`
  select endpoint_id from webhook_delivery where status = 'pending' and lease is null`
const unrelayed = () => world.sql`select 1 from unrelayed_event`
const idsReceived = (receiver: Receiver) =>
  receiver.received.map(({ headers }) => String(headers['webhook-id'])).sort()

describe('a worker that relays events', () => {
  test('sends at once to endpoints that answer; everything else is due', async () => {
    const userId = await world.addUser()
    const names = ['plain', 'paused', 'ordered', 'limited', 'failing', 'unknown', 'disabled']
    const ids = new Map<string, string>()
    for (const name of names) ids.set(name, (await world.addEndpoint(userId, URL)).id)
    const idOf = (name: string) => ids.get(name) ?? ''
    const set = (name: string, change: Parameters<typeof changeEndpoint>[2]) =>
      changeEndpoint(world.as(userId), idOf(name), change)
    await set('paused', { status: 'paused' })
    await set('ordered', { ordered: true })
    await set('limited', { ratePerMinute: 60 })
    await world.sql`update webhook_endpoint set failing_since = now() where id = ${idOf('failing')}`
    await world.sql`update webhook_endpoint set answered_at = null where id = ${idOf('unknown')}`
    await world.sql`
      update webhook_endpoint set status = 'disabled' where id = ${idOf('disabled')}`
    await world.emitEvents(userId, 2)
    const { events, deliveries } = await relay()
    expect(events).toBe(2)
    expect(deliveries.map((each) => each.endpointId)).toEqual([idOf('plain'), idOf('plain')])
    expect(await rows()).toHaveLength(12)
    const left = await due()
    expect(left).toHaveLength(10)
    expect(new Set(left.map((row) => row.endpointId))).toEqual(
      new Set(['paused', 'ordered', 'limited', 'failing', 'unknown'].map(idOf)),
    )
  })

  test('takes no more than it has room for, and nothing for endpoints that are slow', async () => {
    const userId = await world.addUser()
    const slow = await world.addEndpoint(userId, URL)
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 5)
    const options = { limit: 100, capacity: 3, leaseMs: LEASE_MS, avoid: [slow.id] }
    const { deliveries } = await relayEvents(world.ctx, options)
    expect(deliveries).toHaveLength(3)
    expect(deliveries.some(({ endpointId }) => endpointId === slow.id)).toBe(false)
    expect(await due()).toHaveLength(7)
    expect(world.woken).toContain('deliveries')
  })

  test('sends nothing new before what is due, so that a steady stream holds nothing back', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 1)
    await relay(0)
    await world.emitEvents(userId, 1)
    expect((await relay()).deliveries).toEqual([])
    expect(await claim()).toHaveLength(2)
    await world.emitEvents(userId, 1)
    expect((await relay()).deliveries).toHaveLength(1)
  })

  test('takes nothing when its transaction fails', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 1)
    // The database cannot store this lease, so the transaction fails.
    const options = { limit: 1, capacity: 1, leaseMs: Number.NaN }
    await expect(relayEvents(world.ctx, options)).rejects.toThrow()
    expect((await relay()).deliveries).toHaveLength(1)
  })

  test('leaves each delivery delivered, and no event', async () => {
    const userId = await world.addUser()
    const receivers = [await startReceiver(), await startReceiver()]
    for (const { url } of receivers) await world.addEndpoint(userId, url)
    const eventIds = await world.emitEvents(userId, 30)
    startJob()
    await vi.waitFor(async () => {
      expect((await rows()).filter(({ status }) => status === 'delivered')).toHaveLength(60)
    }, WAIT)
    expect(await unrelayed()).toEqual([])
    const all = await rows()
    expect(all).toHaveLength(60)
    for (const row of all) expect(row).toMatchObject({ status: 'delivered', attempts: 1 })
    for (const receiver of receivers) expect(idsReceived(receiver)).toEqual([...eventIds].sort())
  })

  test('tries a failing endpoint by the schedule, and leaves the rest due at once', async () => {
    const userId = await world.addUser()
    const failing = await startReceiver((response) => response.writeHead(500).end())
    const good = await startReceiver()
    await world.addEndpoint(userId, failing.url)
    await world.addEndpoint(userId, good.url)
    await world.emitEvents(userId, 40)
    startJob({ perEndpoint: 2 })
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

  test('does not wait for an attempt that hangs, and keeps its result', async () => {
    const userId = await world.addUser()
    let answer = (): void => {}
    const hanging = await startReceiver((response) => {
      answer = () => response.end()
    })
    const good = await startReceiver()
    await world.addEndpoint(userId, hanging.url)
    await world.addEndpoint(userId, good.url)
    await world.emitEvents(userId, 1)
    startJob({ slowMs: 100 }, 60_000)
    const statuses = async () => (await rows()).map(({ status }) => status).sort()
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered', 'pending']), WAIT)
    const held = await world.sql`select 1 from webhook_delivery where lease_until > now()`
    expect(held).toHaveLength(1)
    await vi.waitFor(() => expect(hanging.received).toHaveLength(1), WAIT)
    answer()
    await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered', 'delivered']), WAIT)
    expect(hanging.received).toHaveLength(1)
    expect(await storedAttempts(world.sql)).toHaveLength(2)
  })

  test('gives back what it cannot send in time', async () => {
    const userId = await world.addUser()
    let answer = (): void => {}
    const hanging = await startReceiver((response) => {
      if (hanging.received.length > 1) response.end()
      else answer = () => response.end()
    })
    await world.addEndpoint(userId, hanging.url)
    await world.emitEvents(userId, 3)
    startJob({ perEndpoint: 1, leaseMs: 600_000, slowMs: 600_000 }, 600_000)
    await vi.waitFor(() => expect(hanging.received).toHaveLength(1), WAIT)
    // Moves the monotonic clock past the time for which the worker may hold a delivery, but not
    // past its lease.
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 300_000)
    onTestFinished(() => void later.mockRestore())
    answer()
    await vi.waitFor(() => expect(hanging.received).toHaveLength(3), WAIT)
  })

  test('loses nothing when it dies: its deliveries are claimed when their leases end', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 10)
    const dead = (await relay()).deliveries
    expect(dead).toHaveLength(20)
    expect((await relay()).events).toBe(0)
    expect(await claim()).toEqual([])
    await arrive(dead.slice(0, 1))
    await endLeases(world.sql)
    const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim(4)))).flat()
    claimed.push(...(await claim()))
    expect(claimed.map(({ id }) => id).sort()).toEqual(
      dead
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    )
    // A slow worker's results do not count after its leases have ended.
    expect(await arrive(dead)).toBe(0)
    expect(await arrive(claimed)).toBe(19)
    expect(await rows()).toHaveLength(20)
    expect(await storedAttempts(world.sql)).toHaveLength(20)
  })

  test('sends nothing to an endpoint that was deleted or disabled before its lease ended', async () => {
    const userId = await world.addUser()
    const kept = await world.addEndpoint(userId, URL)
    const gone = await world.addEndpoint(userId, URL)
    const disabled = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 1)
    expect((await relay()).deliveries).toHaveLength(3)
    await deleteEndpoint(world.as(userId), gone.id)
    await world.sql`update webhook_endpoint set status = 'disabled' where id = ${disabled.id}`
    await endLeases(world.sql)
    expect((await claim()).map(({ endpointId }) => endpointId)).toEqual([kept.id])
  })

  test('gives back what it has not sent when it stops: that is due at once', async () => {
    const userId = await world.addUser()
    const slow = await startReceiver(() => {})
    await world.addEndpoint(userId, slow.url)
    await world.emitEvents(userId, 30)
    const job = startJob({ perEndpoint: 2, slowMs: 60_000 }, 60_000)
    await vi.waitFor(() => expect(slow.received).toHaveLength(2), WAIT)
    await job.stop()
    expect(await unrelayed()).toEqual([])
    expect(
      await world.sql`
        select count(*)::int as due from webhook_delivery
        where status = 'pending' and lease is null and next_attempt_at <= ${world.clock.now()}`,
    ).toEqual([{ due: 30 }])
  })

  test('leaves nothing for its endpoints to miss', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 2)
    const { deliveries } = await relay()
    const late = await world.addEndpoint(userId, URL)
    const missedBy = async (endpointId: string) => {
      const wish = ReplayDeliveries.parse({
        since: '2020-01-01T00:00:00Z',
        includeUndelivered: true,
        dryRun: true,
      })
      return (await replayDeliveries(world.as(userId), endpointId, wish)).undelivered
    }
    expect(await missedBy(id)).toBe(0)
    await arrive(deliveries)
    expect(await missedBy(id)).toBe(0)
    expect(await missedBy(late.id)).toBe(2)
  })

  test('turns events that wait into deliveries that are pending', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 3)
    world.clock.move(7_000)
    const read = async () =>
      Object.fromEntries(
        [...(await readEvents(world.ctx)), ...(await readDeliveries(world.ctx))].map(
          ([name, , value]) => [name, value],
        ),
      )
    expect(await read()).toMatchObject({
      fundproof_events_unrelayed: 3,
      fundproof_events_oldest_unrelayed_seconds: 7,
      fundproof_webhook_deliveries_pending: 0,
    })
    const { deliveries } = await relay()
    expect(await read()).toMatchObject({
      fundproof_events_unrelayed: 0,
      fundproof_webhook_deliveries_pending: 3,
    })
    await arrive(deliveries)
    expect(await read()).toMatchObject({ fundproof_webhook_deliveries_pending: 0 })
  })
})

describe('new deliveries and claims', () => {
  test('keep to the attempts in flight at one endpoint', async () => {
    const [one, other] = [await world.addUser(), await world.addUser()]
    const slow = await startReceiver(() => {})
    const ordered = await startReceiver()
    await world.addEndpoint(one, slow.url)
    const { id } = await world.addEndpoint(other, ordered.url)
    await changeEndpoint(world.as(other), id, { ordered: true })
    await world.emitEvents(one, 10)
    const job = startJob({ perEndpoint: 2, slowMs: 50 }, 60_000)
    // Two deliveries are in flight, and eight are due.
    await vi.waitFor(async () => expect(await rows()).toHaveLength(10), WAIT)
    for (let claims = 1; claims <= 3; claims++) {
      await world.emitEvents(other, 1)
      job.wakeEvents()
      await vi.waitFor(() => expect(ordered.received).toHaveLength(claims), WAIT)
    }
    expect(slow.received).toHaveLength(2)
  })

  test('go on beside each other, also when new events never end', async () => {
    const [one, other] = [await world.addUser(), await world.addUser()]
    const busy = await startReceiver((response) => setTimeout(() => response.end(), 40))
    const ordered = await startReceiver()
    await world.addEndpoint(one, busy.url)
    const { id } = await world.addEndpoint(other, ordered.url)
    await changeEndpoint(world.as(other), id, { ordered: true })
    const wanted = await world.emitEvents(other, 80, newId())
    await world.emitEvents(one, 100)
    const job = startJob({ perEndpoint: 2 })
    // Adds one event for each event that is delivered, so that some always wait.
    let over = false
    const flood = async (): Promise<void> => {
      for (let seen = 0; !over; ) {
        await vi.waitFor(() => expect(busy.received.length).toBeGreaterThan(seen), WAIT)
        const gone = busy.received.length - seen
        seen += gone
        await world.emitEvents(one, gone)
        job.wakeEvents()
      }
    }
    const flooding = flood()
    await vi.waitFor(() => expect(ordered.received).toHaveLength(80), WAIT)
    over = true
    await flooding
    expect(idsReceived(ordered)).toEqual([...wanted].sort())
  })
})
