import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createDeliverWebhooksJob,
  type DeliverOptions,
} from '../../../worker/delivery/deliver-webhooks.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { openWorld, sandboxDeliverer, type World } from './support/world.ts'

const WAIT = { timeout: 20_000, interval: 10 }

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const startJob = (options: DeliverOptions = {}, timeoutMs?: number) => {
  const job = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock, timeoutMs), options)
  job.start()
  onTestFinished(() => job.stop())
  return job
}

const countOf = async (status: string): Promise<number> => {
  const rows = await world.sql`select 1 from webhook_delivery where status = ${status}`
  return rows.length
}

const idsReceived = (receiver: Receiver) =>
  receiver.received.map(({ headers }) => String(headers['webhook-id']))

describe('delivering webhooks', () => {
  test('brings each event to its endpoint, with the request that caused it', async () => {
    const { userId, receiver } = await world.addReceiver()
    const eventIds = await world.happen(userId, 3)
    startJob()
    await vi.waitFor(async () => expect(await countOf('delivered')).toBe(3), WAIT)
    expect(idsReceived(receiver).sort()).toEqual([...eventIds].sort())
    for (const { headers, body } of receiver.received) {
      expect(headers['x-request-id']).toBe('req-test')
      expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'], event: 'user.verified' })
    }
  })

  test('keeps a dead and a slow endpoint from delaying a good one', async () => {
    const slow = await startReceiver(() => {})
    const good = await startReceiver()
    const dead = await startReceiver()
    await dead.close()
    for (const { url } of [slow, dead, good]) {
      const userId = await world.addUser()
      await world.addEndpoint(userId, url)
      await world.emitEvents(userId, 40)
    }
    await world.relayAll()
    startJob({ concurrency: 12, perEndpoint: 4 }, 60_000)
    await vi.waitFor(() => expect(good.received).toHaveLength(40), WAIT)
    await vi.waitFor(async () => expect(await countOf('delivered')).toBe(40), WAIT)
    // The slow endpoint still has only its first few deliveries in flight.
    expect(slow.received).toHaveLength(4)
    const [attempts] = await world.sql`
      select sum(attempts)::int as count from webhook_delivery
      join webhook_endpoint on webhook_endpoint.id = endpoint_id where url = ${slow.url}`
    expect(attempts?.count).toBe(0)
    const others = await startReceiver()
    const newcomer = await world.addUser()
    await world.addEndpoint(newcomer, others.url)
    await world.happen(newcomer, 1)
    await vi.waitFor(() => expect(others.received).toHaveLength(1), WAIT)
  })

  test('delivers each event once while two workers share the work', async () => {
    const { userId, receiver } = await world.addReceiver()
    const eventIds = await world.happen(userId, 150)
    startJob({ sweepMs: 20 })
    startJob({ sweepMs: 20 })
    await vi.waitFor(async () => expect(await countOf('delivered')).toBe(150), WAIT)
    expect(idsReceived(receiver).sort()).toEqual([...eventIds].sort())
  })

  test('tries again when the time has come, under the same id', async () => {
    const userId = await world.addUser()
    const receiver = await startReceiver((response) =>
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end(),
    )
    await world.addEndpoint(userId, receiver.url)
    await world.happen(userId, 1)
    const job = startJob()
    await vi.waitFor(async () => {
      expect(await world.sql`select 1 from webhook_delivery where attempts = 1`).toHaveLength(1)
    }, WAIT)
    expect(await countOf('pending')).toBe(1)
    world.clock.move(6_001)
    job.wakeDeliveries()
    await vi.waitFor(async () => expect(await countOf('delivered')).toBe(1), WAIT)
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
  })

  test('stops within 2 s in the middle of attempts and gives them back', async () => {
    const { userId, receiver } = await world.addReceiver(() => {})
    await world.happen(userId, 2)
    const job = startJob({}, 60_000)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), WAIT)
    const start = performance.now()
    await job.stop()
    expect(performance.now() - start).toBeLessThan(2_000)
    const rows = await world.sql`
      select 1 from webhook_delivery
      where attempts = 0 and lease is null and next_attempt_at <= ${world.clock.now()}`
    expect(rows).toHaveLength(2)
  })

  test('makes one pass for those who ask for no more', async () => {
    const { userId, receiver } = await world.addReceiver()
    await world.happen(userId, 30)
    const job = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock), {
      perEndpoint: 2,
    })
    await job.run()
    expect(await countOf('delivered')).toBe(30)
    await job.run()
    await job.stop()
    expect(receiver.received).toHaveLength(30)
  })
})
