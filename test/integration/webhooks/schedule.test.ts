import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getEndpoint } from '../../../src/domain/events/index.ts'
import { listNotifications, listPrintedMail } from '../../../src/domain/people/index.ts'
import { createDeliverWebhooksJob } from '../../../worker/delivery/deliver-webhooks.ts'
import { storedAttempts } from '../../support/deliveries.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { openWorld, sandboxDeliverer, type World } from './support/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The pauses between the attempts, as documented. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
]

let world: World
let userId: string
let endpointId: string
let receiver: Receiver
let answer: { status: number; headers?: Record<string, string> }
let job: ReturnType<typeof createDeliverWebhooksJob>
beforeEach(async () => {
  world = await openWorld()
  answer = { status: 500 }
  receiver = await startReceiver((response) => {
    response.writeHead(answer.status, answer.headers).end('answer')
  })
  userId = await world.addUser()
  endpointId = (await world.addEndpoint(userId, receiver.url)).id
  job = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock))
})
afterEach(() => job.stop())

const happen = async () => {
  await world.happen(userId, 1)
}
const now = () => world.clock.now().getTime()

const delivery = async () => {
  const [row] = await world.sql<
    { status: string; attempts: number; scheduleAttempts: number; nextAttemptAt: Date | null }[]
  >`select status, attempts, schedule_attempts, next_attempt_at from webhook_delivery
    order by created_at desc, id desc`
  if (!row) throw new Error('there is no delivery')
  return row
}

/**
 * Moves the clock to one millisecond before the next attempt, where nothing may happen, and then to
 * its time.
 */
const moveToNext = async (): Promise<void> => {
  const { nextAttemptAt: next } = await delivery()
  if (!next) throw new Error('there is no next attempt')
  const before = receiver.received.length
  world.clock.move(next.getTime() - now() - 1)
  await job.run()
  expect(receiver.received).toHaveLength(before)
  world.clock.move(1)
  await job.run()
  expect(receiver.received).toHaveLength(before + 1)
}

describe('the clock moved through the schedule', () => {
  test('shows every attempt at its time, and none after the last', async () => {
    const from = now()
    await happen()
    await job.run()
    const times = [now()]
    for (const pauseMs of PAUSES_MS) {
      await moveToNext()
      const passed = now() - (times.at(-1) ?? 0)
      expect(passed).toBeGreaterThanOrEqual(pauseMs * 0.8)
      expect(passed).toBeLessThanOrEqual(pauseMs * 1.2)
      times.push(now())
    }
    expect(times[0]).toBe(from)
    expect(await delivery()).toMatchObject({ status: 'exhausted', attempts: 8 })

    world.clock.move(4 * DAY_MS)
    await job.run()
    expect(receiver.received).toHaveLength(8)
    // Each attempt has the same id, and is signed with the time of the attempt.
    expect(receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
      times.map((ms) => Math.floor(ms / 1_000)),
    )
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const attempts = await storedAttempts(world.sql)
    expect(attempts).toHaveLength(8)
    for (const [index, attempt] of attempts.entries()) {
      expect(attempt).toMatchObject({
        number: index + 1,
        statusCode: 500,
        errorKind: 'http',
        responseBody: 'answer',
      })
      expect(attempt.startedAt.getTime()).toBe(times[index])
    }
  })

  test('varies each pause from one delivery to the next', async () => {
    await world.happen(userId, 20)
    await job.run()
    const pauses = new Set<number>()
    for (let i = 0; i < 25; i++) {
      world.clock.move(500)
      await job.run()
    }
    const rows = (await storedAttempts(world.sql)).filter(({ number }) => number === 2)
    for (const { startedAt: at } of rows) pauses.add(at.getTime())
    expect(rows).toHaveLength(20)
    expect(pauses.size).toBeGreaterThan(1)
  })

  test('begins anew for a delivery that is sent again, whose attempts are numbered on', async () => {
    await happen()
    await job.run()
    for (const _ of PAUSES_MS) await moveToNext()
    await world.sql`
      update webhook_delivery set status = 'pending', schedule_attempts = 0,
                                  next_attempt_at = ${world.clock.now()}`
    await job.run()
    const { nextAttemptAt: next, ...state } = await delivery()
    expect(state).toEqual({ status: 'pending', attempts: 9, scheduleAttempts: 1 })
    expect((next?.getTime() ?? 0) - now()).toBeLessThanOrEqual(6_000)
    answer = { status: 200 }
    await moveToNext()
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 10 })
  })

  test('waits as long as a receiver asks, from once to twice the pause', async () => {
    await happen()
    answer = { status: 429, headers: { 'retry-after': '8' } }
    await job.run()
    let before = now()
    await moveToNext()
    expect(now() - before).toBe(8_000)

    // A receiver that asks for two hours gets at most twice the pause of five minutes. A receiver
    // that asks for less than the pause gets the whole pause.
    answer = {
      status: 503,
      headers: { 'retry-after': new Date(now() + 2 * HOUR_MS).toUTCString() },
    }
    await world.sql`update webhook_delivery set schedule_attempts = 1, next_attempt_at = ${world.clock.now()}`
    await job.run()
    before = now()
    answer = { status: 503, headers: { 'retry-after': '1' } }
    await moveToNext()
    expect(now() - before).toBe(10 * MINUTE_MS)
    before = now()
    await moveToNext()
    expect(now() - before).toBe(30 * MINUTE_MS)
  })

  test('ends at once with 410, and the owner is notified', async () => {
    await world.happen(userId, 3)
    answer = { status: 410 }
    await job.run()
    expect(await world.sql`select 1 from webhook_delivery where status = 'pending'`).toEqual([])
    expect(await getEndpoint(world.as(userId), endpointId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    })
    const sent = receiver.received.length
    world.clock.move(DAY_MS)
    await happen()
    await job.run()
    expect(receiver.received).toHaveLength(sent)
    expect(await listPrintedMail(world.ctx, { to: `${userId}@example.com` })).toHaveLength(1)
  })

  test('disables an endpoint after five days without a success, once, and tells its owner once', async () => {
    const from = now()
    for (let _day = 0; now() - from < 5 * DAY_MS; _day++) {
      await happen()
      await job.run()
      expect(await getEndpoint(world.as(userId), endpointId)).toMatchObject({ status: 'active' })
      world.clock.move(6 * HOUR_MS)
    }
    await happen()
    await job.run()
    expect(await getEndpoint(world.as(userId), endpointId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
    })
    expect(await world.sql`select 1 from webhook_delivery where status = 'pending'`).toEqual([])
    const mails = await listPrintedMail(world.ctx, { to: `${userId}@example.com` })
    expect(mails).toMatchObject([{ template: 'endpoint_disabled' }])
    const { items } = await listNotifications(world.as(userId), { page: 1, limit: 20 })
    expect(items).toMatchObject([{ type: 'webhook_disabled', data: { webhookId: endpointId } }])
    const sent = receiver.received.length
    world.clock.move(10 * DAY_MS)
    await job.run()
    expect(receiver.received).toHaveLength(sent)
  })
})
