import { beforeEach, describe, expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/domain/events/index.ts'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { createDeliverWebhooksJob } from '../../../worker/delivery/deliver-webhooks.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { startReceiver } from './support/receiver.ts'
import { openWorld, recordAll, resultOf, sandboxDeliverer, type World } from './support/world.ts'

let world: World
let userId: string
beforeEach(async () => {
  world = await openWorld()
  userId = await world.addUser()
})

const prepare = async (
  ratePerMinute: number,
  events: number,
  url = 'https://hooks.example.com/',
) => {
  const { id } = await world.addEndpoint(userId, url)
  await world.sql`update webhook_endpoint set rate_per_minute = ${ratePerMinute} where id = ${id}`
  await world.happen(userId, events)
  return id
}

const attemptDue = async (): Promise<number> => {
  const claimed = await claimDeliveries(world.ctx, { limit: 64, perEndpoint: 64, leaseMs: 20_000 })
  return recordAll(world.ctx, claimed, resultOf({}))
}

/**
 * Runs an attempt of all due deliveries every few milliseconds. Returns the time of each attempt.
 */
const timesOf = async (forMs: number, everyMs: () => number): Promise<number[]> => {
  const times: number[] = []
  for (let passed = 0; passed < forMs; ) {
    const count = await attemptDue()
    for (let i = 0; i < count; i++) times.push(passed)
    const step = Math.ceil(everyMs())
    world.clock.move(step)
    passed += step
  }
  return times
}

const mostWithin = (times: readonly number[], windowMs: number): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length))

describe('a rate limit', () => {
  test('lets out one after another, evenly', async () => {
    await prepare(60, 30)
    const times = await timesOf(20_000, () => 25)
    expect(times.length).toBe(21)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    // After a pause, the first gap may be shorter by up to 250 ms.
    expect(gaps[0]).toBeGreaterThanOrEqual(750)
    for (const gap of gaps.slice(1)) expect(Math.abs(gap - 1_004)).toBeLessThanOrEqual(25)
  })

  test.each([
    [600, 40],
    [1_200, 120],
    [6_000, 90],
  ])(
    'of %i a minute is nearly reached and never exceeded, whenever claims come',
    async (rate, everyMs) => {
      const forMs = rate < 5_000 ? 70_000 : 66_000
      await prepare(rate, Math.ceil((rate * forMs) / 60_000) + 100)
      const times = await timesOf(forMs, () => 1 + Math.random() * 2 * everyMs)
      expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(rate)
      expect(times.filter((at) => at < 60_000).length).toBeGreaterThan(rate * 0.9)
    },
    120_000,
  )

  test('saves up nothing while there is nothing to send', async () => {
    await prepare(60, 1)
    await attemptDue()
    world.clock.move(600_000)
    await world.happen(userId, 10)
    expect(await attemptDue()).toBe(1)
    expect(await attemptDue()).toBe(0)
    world.clock.move(750)
    expect(await attemptDue()).toBe(0)
  })

  test('holds for all workers together, also if they claim at once', async () => {
    await prepare(600, 100)
    world.clock.move(10_000)
    const claims = await Promise.all(
      Array.from({ length: 8 }, () =>
        claimDeliveries(world.ctx, { limit: 64, perEndpoint: 64, leaseMs: 20_000 }),
      ),
    )
    // At ten a second, 250 ms of unused time allow three deliveries at once.
    expect(claims.flat()).toHaveLength(3)
  })

  test('of one endpoint is no other endpoint’s', async () => {
    await prepare(1, 5)
    const other = await world.addEndpoint(userId, 'https://other.example.com/')
    await world.happen(userId, 5)
    const claimed = await claimDeliveries(world.ctx, { limit: 64, perEndpoint: 64, leaseMs: 1_000 })
    expect(claimed.filter(({ endpointId }) => endpointId === other.id)).toHaveLength(5)
    expect(claimed).toHaveLength(6)
  })

  test('costs one write for each claim, not for each delivery', async () => {
    const id = await prepare(6_000, 100)
    world.clock.move(10_000)
    const versionOf = async () => {
      const [row] = await world.sql`
        select xmin::text, next_slot_at from webhook_endpoint where id = ${id}`
      return row
    }
    const before = await versionOf()
    expect(await attemptDue()).toBeGreaterThan(20)
    const after = await versionOf()
    expect(after?.xmin).not.toBe(before?.xmin)
    expect(await attemptDue()).toBe(0)
    expect(await versionOf()).toEqual(after)
  })

  test('wakes the worker when the next one may go, without a sweep', async () => {
    const receiver = await startReceiver()
    await prepare(1_200, 12, receiver.url)
    const ctx = { ...world.ctx, clock: systemClock }
    const job = createDeliverWebhooksJob(ctx, sandboxDeliverer(systemClock), { sweepMs: 600_000 })
    job.start()
    await waitFor('all to arrive', () => receiver.received.length, exactly(12))
    await job.stop()
  })
})
