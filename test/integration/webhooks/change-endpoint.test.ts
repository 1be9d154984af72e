import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  changeEndpoint,
  claimDeliveries,
  createEndpoint,
  getEndpoint,
} from '../../../src/domain/events/index.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { createWorld, failureOf, recordAll, resultOf, type World } from './support/world.ts'

const URL = 'https://hooks.example.com/'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CLAIM = { limit: 100, perEndpoint: 100, leaseMs: 20_000 }

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

/** Claims all due deliveries, and records this result for each of them. Returns their events. */
const attemptAll = async (result = resultOf({})): Promise<string[]> => {
  const claimed = await claimDeliveries(world.ctx, CLAIM)
  await recordAll(world.ctx, claimed, result)
  return claimed.map(({ eventId }) => eventId)
}

/** Makes events for endpoints that have answered before. */
const happen = async (count: number): Promise<string[]> => {
  await world.sql`update webhook_endpoint set answered_at = now() where answered_at is null`
  const ids = await world.happen(userId, count)
  return ids
}

describe('changing a webhook endpoint', () => {
  test('changes what is named and leaves the rest', async () => {
    const created = await createEndpoint(ctx, { url: URL, description: 'mine', ratePerMinute: 60 })
    const { secret: _, ...before } = created
    const after = await changeEndpoint(ctx, created.id, {
      url: 'https://other.example.com/hook#part',
      events: ['donation.failed'],
      ordered: true,
    })
    expect(after).toEqual({
      ...before,
      url: 'https://other.example.com/hook',
      events: ['donation.failed'],
      ordered: true,
    })
    expect(await getEndpoint(ctx, created.id)).toEqual(after)
    expect(await changeEndpoint(ctx, created.id, {})).toEqual(after)
    const cleared = { description: null, ratePerMinute: null }
    expect(await changeEndpoint(ctx, created.id, cleared)).toEqual({ ...after, ...cleared })
  })

  test('is what claims go by from then on, with the same secret', async () => {
    const { id, secret } = await createEndpoint(ctx, { url: URL })
    await happen(1)
    await changeEndpoint(ctx, id, { url: 'https://other.example.com/', headers: { 'x-a': '1' } })
    expect(await claimDeliveries(world.ctx, CLAIM)).toMatchObject([
      {
        url: 'https://other.example.com/',
        headers: { 'x-a': '1' },
        signers: [{ kind: 'hmac', secret }],
      },
    ])
  })

  test.each([
    'https://10.0.0.1/',
    'http://[::ffff:169.254.169.254]/',
    'ftp://hooks.example.com/',
    'http://localhost:3000/api',
  ])('refuses %s as it is refused in the beginning, and changes nothing', async (url) => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await expect(changeEndpoint(ctx, id, { url, description: 'no' })).rejects.toMatchObject({
      code: 'webhook_url_refused',
      details: [{ path: 'url' }],
    })
    expect(await getEndpoint(ctx, id)).toMatchObject({ url: URL, description: null })
  })

  test('is for its owner: hides it from others, lets an admin pause it and no more', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    const other = world.as(await world.addUser())
    await expect(changeEndpoint(other, id, { status: 'paused' })).rejects.toMatchObject({
      code: 'not_found',
    })
    const admin = world.as(await world.addUser(), ['admin'])
    await expect(
      changeEndpoint(admin, id, { url: 'https://admin.example.com/', status: 'paused' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(await getEndpoint(ctx, id)).toMatchObject({ url: URL, status: 'active' })
    expect(await changeEndpoint(admin, id, { status: 'paused' })).toMatchObject({
      status: 'paused',
    })
  })

  test('replaces its headers as a whole, and shows their names alone', async () => {
    const headers = { authorization: 'Bearer of-the-receiver', 'x-tenant': 'a' }
    const { id, headers: names } = await createEndpoint(ctx, { url: URL, headers })
    expect(names).toEqual(['authorization', 'x-tenant'])
    expect((await changeEndpoint(ctx, id, { description: 'same headers' })).headers).toEqual(names)
    const replaced = await changeEndpoint(ctx, id, { headers: { 'x-other': 'b' } })
    expect(replaced.headers).toEqual(['x-other'])
    expect((await changeEndpoint(ctx, id, { headers: {} })).headers).toEqual([])
  })

  test('sends its headers to no other origin unless they are given again', async () => {
    const headers = { authorization: 'Bearer of-the-receiver' }
    const { id } = await createEndpoint(ctx, { url: URL, headers })
    const path = await changeEndpoint(ctx, id, { url: `${URL}other/path` })
    expect(path.headers).toEqual(['authorization'])
    for (const url of ['https://evil.example.com/', 'https://hooks.example.com:8443/']) {
      await expect(changeEndpoint(ctx, id, { url })).rejects.toMatchObject({
        code: 'invalid_input',
        details: [{ path: 'headers' }],
      })
    }
    const moved = await changeEndpoint(ctx, id, { url: 'https://new.example.com/', headers: {} })
    expect(moved).toMatchObject({ url: 'https://new.example.com/', headers: [] })
  })

  test('lets a new rate hold at once, not when the old one would have let the next one out', async () => {
    const { id } = await createEndpoint(ctx, { url: URL, ratePerMinute: 1 })
    const eventIds = await happen(2)
    expect(await attemptAll()).toHaveLength(1)
    expect(await attemptAll()).toEqual([])
    await changeEndpoint(ctx, id, { description: 'the same rate' })
    expect(await attemptAll()).toEqual([])
    await changeEndpoint(ctx, id, { ratePerMinute: 2 })
    const rest = await attemptAll()
    expect(rest).toHaveLength(1)
    expect(eventIds).toEqual(expect.arrayContaining(rest))
  })

  test('gives each of several changes at once their part', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await Promise.all([
      changeEndpoint(ctx, id, { description: 'one' }),
      changeEndpoint(ctx, id, { ordered: true }),
      changeEndpoint(ctx, id, { ratePerMinute: 5 }),
    ])
    expect(await getEndpoint(ctx, id)).toMatchObject({
      description: 'one',
      ordered: true,
      ratePerMinute: 5,
    })
  })
})

describe('a paused endpoint', () => {
  test('lets everything wait, and loses none of it when it goes on', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    const before = await happen(2)
    await changeEndpoint(ctx, id, { status: 'paused' })
    const meanwhile = await happen(3)
    expect(await attemptAll()).toEqual([])
    world.clock.move(30 * DAY_MS)
    await createPruneJob(world.ctx).run()
    expect(await attemptAll()).toEqual([])
    world.woken.length = 0
    await changeEndpoint(ctx, id, { status: 'active' })
    expect(world.woken).toEqual(['deliveries'])
    expect((await attemptAll()).sort()).toEqual([...before, ...meanwhile].sort())
    expect(await attemptAll()).toEqual([])
  })

  test('lets an attempt under way end, and tries a failed one again when it goes on', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    const [eventId] = await happen(1)
    const claimed = await claimDeliveries(world.ctx, CLAIM)
    await changeEndpoint(ctx, id, { status: 'paused' })
    expect(await recordAll(world.ctx, claimed, failureOf(500))).toBe(1)
    world.clock.move(DAY_MS)
    expect(await attemptAll()).toEqual([])
    await changeEndpoint(ctx, id, { status: 'active' })
    expect(await attemptAll()).toEqual([eventId])
  })

  test('keeps what waits for 90 days, and no longer', async () => {
    await createEndpoint(ctx, { url: URL }).then(({ id }) =>
      changeEndpoint(ctx, id, { status: 'paused' }),
    )
    await happen(2)
    const statuses = async () =>
      (await world.sql`select status from webhook_delivery`).map(({ status }) => status)
    world.clock.move(89 * DAY_MS)
    await createPruneJob(world.ctx).run()
    expect(await statuses()).toEqual(['pending', 'pending'])
    world.clock.move(2 * DAY_MS)
    await createPruneJob(world.ctx).run()
    expect((await statuses()).filter((status) => status === 'pending')).toEqual([])
  })
})

describe('a disabled endpoint', () => {
  const disabled = async (): Promise<string> => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await happen(1)
    await attemptAll(failureOf(500))
    world.clock.move(6 * DAY_MS)
    await attemptAll(failureOf(500))
    expect(await getEndpoint(ctx, id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      failingSince: expect.any(Date),
    })
    return id
  }

  test('is enabled by its owner and starts anew: one failure does not disable it again', async () => {
    const id = await disabled()
    expect(await changeEndpoint(ctx, id, { status: 'active' })).toMatchObject({
      status: 'active',
      disabledReason: null,
      failingSince: null,
    })
    const [eventId] = await happen(1)
    expect(await attemptAll(failureOf(500))).toEqual([eventId])
    expect(await getEndpoint(ctx, id)).toMatchObject({
      status: 'active',
      failingSince: world.clock.now(),
    })
  })

  test('may be enabled as a paused one, which keeps what happens', async () => {
    const id = await disabled()
    expect(await changeEndpoint(ctx, id, { status: 'paused' })).toMatchObject({
      status: 'paused',
      disabledReason: null,
    })
    const [eventId] = await happen(1)
    expect(await attemptAll()).toEqual([])
    await changeEndpoint(ctx, id, { status: 'active' })
    expect(await attemptAll()).toEqual([eventId])
  })

  test('stays disabled when other fields are changed', async () => {
    const id = await disabled()
    expect(await changeEndpoint(ctx, id, { description: 'later' })).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
    })
  })

  test('shows a new address a clean record', async () => {
    const { id } = await createEndpoint(ctx, { url: URL })
    await happen(1)
    await attemptAll(failureOf(500))
    expect((await getEndpoint(ctx, id)).failingSince).not.toBeNull()
    expect(await changeEndpoint(ctx, id, { ordered: true })).toMatchObject({
      failingSince: expect.any(Date),
    })
    expect(await changeEndpoint(ctx, id, { url: `${URL}new` })).toMatchObject({
      failingSince: null,
    })
  })
})
