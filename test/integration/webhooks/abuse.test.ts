import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exampleEventData } from '../../../src/api/openapi/webhooks.ts'
import {
  changeEndpoint,
  claimDeliveries,
  createEndpoint,
  getEndpoint,
  ReplayDeliveries,
  recordAttempts,
  replayDeliveries,
  sendTest,
} from '../../../src/domain/events/index.ts'
import { createWorld, failureOf, resultOf, type World } from './support/world.ts'

const URL = 'https://hooks.example.com/'
const MINUTE_MS = 60_000

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

let userId: string
let ctx: World['ctx']
beforeEach(async () => {
  await world.sql`delete from webhook_delivery`
  await world.sql`delete from webhook_endpoint`
  userId = await world.addUser()
  ctx = world.as(userId)
})

const happen = async (count: number): Promise<void> => {
  await world.happen(userId, count)
}

/** Attempts all due deliveries, each with this result. Returns their number. */
const attemptDue = async (result = failureOf(500)): Promise<number> => {
  const options = { limit: 1_000, perEndpoint: 100, leaseMs: MINUTE_MS }
  const claimed = await claimDeliveries(world.ctx, options)
  const attempts = claimed.map((delivery) => ({ delivery, result }))
  if (attempts.length > 0) await recordAttempts(world.ctx, attempts)
  return attempts.length
}

const attemptsWithin = async (ms: number): Promise<number> => {
  let attempts = 0
  for (let passed = 0; passed < ms; passed += 1_000) {
    attempts += await attemptDue()
    world.clock.move(1_000)
  }
  return attempts
}

const replay = (endpointId: string, wish: Record<string, unknown> = {}) =>
  replayDeliveries(
    ctx,
    endpointId,
    ReplayDeliveries.parse({ since: '2020-01-01T00:00:00Z', includeUndelivered: true, ...wish }),
  )

describe('an address whose owner may not have agreed', () => {
  test('gets at most six requests a minute until it has answered 2xx, also when it is replayed', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await happen(60)
    expect(await attemptsWithin(MINUTE_MS)).toBe(6)
    for (let calls = 0; calls < 5; calls++) await replay(id)
    expect(await attemptsWithin(MINUTE_MS)).toBeLessThanOrEqual(6)
    world.clock.move(10_000)
    expect(await attemptDue(resultOf({}))).toBe(1)
    expect(await attemptDue()).toBeGreaterThan(6)
  })

  test('has to answer again when its endpoint moves to another origin', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await happen(1)
    await attemptDue(resultOf({}))
    await changeEndpoint(ctx, id, { url: `${URL}another/path` })
    await happen(20)
    expect(await attemptDue(resultOf({}))).toBe(20)
    await changeEndpoint(ctx, id, { url: 'https://other.example.com/' })
    await happen(20)
    expect(await attemptDue()).toBe(1)
  })

  test('is not a receiver on this machine, where the sandbox allows that', async () => {
    await createEndpoint(ctx, { url: 'http://localhost:9000/' })
    await happen(20)
    expect(await attemptDue(resultOf({}))).toBe(20)
  })
})

describe('replays of an endpoint', () => {
  test('have a budget for each hour, and dry runs cost nothing', async () => {
    const { id } = await world.addEndpoint(userId, URL)
    const other = await world.addEndpoint(userId, URL)
    for (let calls = 0; calls < 25; calls++) await replay(id, { dryRun: true })
    for (let calls = 0; calls < 20; calls++) await replay(id)
    await expect(replay(id)).rejects.toMatchObject({ code: 'rate_limited' })
    await replay(other.id)
    await world.sql`
      update webhook_endpoint set replay_hour = replay_hour - interval '1 hour' where id = ${id}`
    await replay(id)
  })
})

describe('a test event', () => {
  test('that is answered with 410 does not disable its endpoint', async () => {
    const { id } = await world.addEndpoint(userId, URL)
    await sendTest(ctx, id, { sampleOf: exampleEventData })
    expect(await attemptDue(failureOf(410))).toBe(1)
    expect(await getEndpoint(ctx, id)).toMatchObject({ status: 'active' })
    await happen(1)
    expect(await attemptDue(failureOf(410))).toBe(1)
    expect(await getEndpoint(ctx, id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
  })
})

describe('an endpoint that points at this service', () => {
  const settings = (publicUrl: string) => ({
    ...ctx,
    settings: { ...ctx.settings, publicUrl, listenPorts: [3000, 9464] },
  })

  test.each([
    'https://api.example.org/hook',
    'https://API.example.org./hook',
    'https://api.example.org:8443/',
    'http://api.example.org/',
  ])('is refused by its host, with any port: %s', async (url) => {
    await expect(
      createEndpoint(settings('https://api.example.org'), { url }),
    ).rejects.toMatchObject({ code: 'webhook_url_refused' })
  })

  test.each([
    'http://localhost:3000/',
    'http://api.localhost:3000/',
    'http://localhost.:3000/',
    'http://127.0.0.1:3000/',
    'http://127.9.9.9:9464/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
  ])('is refused on this machine by its port, under any name: %s', async (url) => {
    await expect(createEndpoint(settings('http://localhost:3000'), { url })).rejects.toMatchObject({
      code: 'webhook_url_refused',
    })
  })

  test('is not any other receiver on this machine', async () => {
    const { url } = await createEndpoint(settings('http://localhost:3000'), {
      url: 'http://localhost:4000/hook',
    })
    expect(url).toBe('http://localhost:4000/hook')
  })
})
