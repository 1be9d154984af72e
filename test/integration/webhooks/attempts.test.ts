import { beforeEach, describe, expect, test } from 'vitest'
import { RETRY_PAUSES_MS } from '../../../src/domain/events/delivery/attempt-outcome.ts'
import { claimDeliveries, getEndpoint } from '../../../src/domain/events/index.ts'
import { listNotifications, listPrintedMail } from '../../../src/domain/people/index.ts'
import type { DeliveryResult } from '../../../src/webhooks/index.ts'
import { storedAttempts } from '../../support/deliveries.ts'
import { failureOf, openWorld, recordAll, resultOf, type World } from './support/world.ts'

const DAY_MS = 24 * 3_600_000

let world: World
let userId: string
let endpoint: { id: string }
beforeEach(async () => {
  world = await openWorld()
  userId = await world.addUser()
  endpoint = await world.addEndpoint(userId, 'https://hooks.example.com/')
})

const emitAndRelay = async (count: number) => {
  await world.happen(userId, count)
}

/** Claims all due deliveries, and records this result for each of them. Returns their number. */
const attemptAll = async (result: DeliveryResult, limit = 100): Promise<number> => {
  const claimed = await claimDeliveries(world.ctx, { limit, perEndpoint: 100, leaseMs: 60_000 })
  return recordAll(world.ctx, claimed, result)
}

const deliveries = () =>
  world.sql<{ status: string; attempts: number; pause: number | null; deliveredAt: Date | null }[]>`
    select status, attempts, delivered_at,
           extract(epoch from next_attempt_at - ${world.clock.now()}::timestamptz)::float8 * 1000
             as pause
    from webhook_delivery order by id`

describe('recording attempts', () => {
  test('tries again by the schedule, each time a little off it, and then no more', async () => {
    await emitAndRelay(1)
    for (const [index, base] of RETRY_PAUSES_MS.entries()) {
      expect(await attemptAll(failureOf(500))).toBe(1)
      const [delivery] = await deliveries()
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1 })
      expect(delivery?.pause).toBeGreaterThanOrEqual(base * 0.8)
      expect(delivery?.pause).toBeLessThanOrEqual(base * 1.2)
      world.clock.move(base * 0.8 - 1)
      expect(await attemptAll(failureOf(500))).toBe(0)
      world.clock.move(base * 0.4 + 1)
    }
    expect(await attemptAll(failureOf(500))).toBe(1)
    expect(await deliveries()).toMatchObject([{ status: 'exhausted', attempts: 8, pause: null }])
    world.clock.move(2 * DAY_MS)
    expect(await attemptAll(failureOf(500))).toBe(0)
  })

  test('waits as long as the receiver asks, within reason', async () => {
    await emitAndRelay(1)
    await attemptAll(failureOf(429, 8_000))
    expect((await deliveries())[0]?.pause).toBe(8_000)
    world.clock.move(8_000)
    await attemptAll(failureOf(503, DAY_MS))
    expect((await deliveries())[0]?.pause).toBe(600_000)
  })

  test('keeps every attempt with what came of it', async () => {
    await emitAndRelay(1)
    await attemptAll(resultOf({ statusCode: null, errorKind: 'timeout', responseBody: null }))
    world.clock.move(10_000)
    await attemptAll(resultOf({ statusCode: 201, durationMs: 12, responseBody: 'thanks' }))
    expect(await deliveries()).toMatchObject([
      { status: 'delivered', attempts: 2, deliveredAt: world.clock.now() },
    ])
    expect(await storedAttempts(world.sql)).toMatchObject([
      { number: 1, statusCode: null, errorKind: 'timeout', responseBody: null },
      { number: 2, statusCode: 201, errorKind: null, durationMs: 12, responseBody: 'thanks' },
    ])
  })

  test('stops at 410: cancels what waits, switches the endpoint off and tells its owner', async () => {
    await emitAndRelay(5)
    expect(await attemptAll(failureOf(410), 1)).toBe(1)
    expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(
      new Set(['cancelled']),
    )
    expect(await getEndpoint(world.as(userId), endpoint.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    })
    const [mail] = await listPrintedMail(world.ctx, { to: `${userId}@example.com` })
    expect(mail).toMatchObject({ template: 'endpoint_disabled' })
    expect(mail?.text).toContain('410 Gone')
    const notices = await listNotifications(world.as(userId), { page: 1, limit: 20 })
    expect(notices.items).toMatchObject([
      { type: 'webhook_disabled', data: { webhookId: endpoint.id }, status: 'unread' },
    ])
    await emitAndRelay(1)
    expect(await deliveries()).toHaveLength(5)
  })

  test('switches an endpoint off that has failed for five days, and not before', async () => {
    await emitAndRelay(1)
    await attemptAll(failureOf(500))
    world.clock.move(5 * DAY_MS - 60_000)
    await emitAndRelay(1)
    await attemptAll(failureOf(500))
    expect(await getEndpoint(world.as(userId), endpoint.id)).toMatchObject({ status: 'active' })
    world.clock.move(120_000)
    await emitAndRelay(1)
    await attemptAll(resultOf({ statusCode: null, errorKind: 'connection' }))
    expect(await getEndpoint(world.as(userId), endpoint.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
    })
    expect((await deliveries()).filter(({ status }) => status === 'pending')).toEqual([])
  })

  test('counts five days from the last success', async () => {
    await emitAndRelay(1)
    await attemptAll(failureOf(500))
    world.clock.move(4 * DAY_MS)
    await attemptAll(resultOf({}))
    world.clock.move(2 * DAY_MS)
    await emitAndRelay(1)
    await attemptAll(failureOf(500))
    expect(await getEndpoint(world.as(userId), endpoint.id)).toMatchObject({ status: 'active' })
  })
})
