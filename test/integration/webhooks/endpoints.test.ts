import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CreateEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
} from '../../../src/domain/events/index.ts'
import { STANDARD_EVENTS } from '../../../src/outbox/events.ts'
import { createWorld, type World } from './support/world.ts'

const URL = 'https://hooks.example.com/'
const FIRST_PAGE = { page: 1, limit: 20 }

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const pendingOf = async (endpointId: string): Promise<number> => {
  const rows = await world.sql`
    select 1 from webhook_delivery where endpoint_id = ${endpointId} and status = 'pending'`
  return rows.length
}

describe('webhook endpoints', () => {
  test('get the events of the interface unless they name others, and a secret once', async () => {
    const ctx = world.as(await world.addUser())
    const created = await createEndpoint(ctx, { url: URL, description: 'mine' })
    expect(created).toMatchObject({
      url: URL,
      events: STANDARD_EVENTS,
      description: 'mine',
      status: 'active',
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_/),
    })
    const { secret, ...view } = created
    expect(await getEndpoint(ctx, created.id)).toEqual(view)
    const [row] = await world.sql`
      select secret_sealed from webhook_endpoint where id = ${created.id}`
    expect(row?.secretSealed).not.toContain(secret?.slice(6))
    expect(world.ctx.secrets.open(row?.secretSealed)).toBe(secret)
  })

  test('are listed newest first, with a cursor that goes on where the page ended', async () => {
    const ctx = world.as(await world.addUser())
    const urls = ['a', 'b', 'c'].map((path) => URL + path)
    for (const url of urls) {
      await createEndpoint(ctx, { url })
      world.clock.move(1_000)
    }
    const first = await listEndpoints(ctx, { page: 1, limit: 2 })
    expect(first).toMatchObject({ total: 3, pages: 2 })
    expect(first.items.map(({ url }) => url)).toEqual([urls[2], urls[1]])
    const rest = await listEndpoints(ctx, {
      page: 1,
      limit: 2,
      cursor: first.nextCursor ?? '',
    })
    expect(rest.items.map(({ url }) => url)).toEqual([urls[0]])
    expect(rest.nextCursor).toBeNull()
  })

  test('belong to their owner: refuses others, lets an admin read', async () => {
    const owner = world.as(await world.addUser())
    const other = world.as(await world.addUser())
    const { id } = await createEndpoint(owner, { url: URL })
    await expect(getEndpoint(other, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteEndpoint(other, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(getEndpoint(owner, 'no-id')).rejects.toMatchObject({ code: 'not_found' })
    expect((await listEndpoints(other, FIRST_PAGE)).items).toEqual([])
    expect(await getEndpoint(world.as(await world.addUser(), ['admin']), id)).toMatchObject({ id })
  })

  test('refuses those who are not signed in', async () => {
    const anonymous = { ...world.ctx, actor: { kind: 'anonymous' } as const }
    await expect(createEndpoint(anonymous, { url: URL })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(listEndpoints(anonymous, FIRST_PAGE)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test.each([
    'https://10.0.0.1/',
    'https://metadata.google.internal/',
    'ftp://hooks.example.com/',
    'http://localhost:3000/api',
  ])('refuses %s', async (url) => {
    const ctx = world.as(await world.addUser())
    await expect(createEndpoint(ctx, { url })).rejects.toMatchObject({
      code: 'webhook_url_refused',
      details: [{ path: 'url' }],
    })
  })

  test('refuses http and loopback in production', async () => {
    const ctx = world.as(await world.addUser())
    const production = {
      ...ctx,
      settings: {
        ...ctx.settings,
        environment: 'production' as const,
        webhooksAllowLoopback: false,
      },
    }
    for (const url of ['http://hooks.example.com/', 'https://127.0.0.1/', 'https://localhost/']) {
      await expect(createEndpoint(production, { url })).rejects.toMatchObject({
        code: 'webhook_url_refused',
      })
    }
    expect(await createEndpoint(production, { url: URL })).toMatchObject({ url: URL })
  })

  test('refuses one too many, however many are asked for at once', async () => {
    const ctx = world.as(await world.addUser())
    const asked = await Promise.allSettled(
      Array.from({ length: MAX_ENDPOINTS + 5 }, () => createEndpoint(ctx, { url: URL })),
    )
    const refused = asked.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(5)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'webhook_limit_reached' })
    }
    const page = await listEndpoints(ctx, { page: 1, limit: 100 })
    expect(page.total).toBe(MAX_ENDPOINTS)
    await deleteEndpoint(ctx, page.items[0]?.id ?? '')
    expect(await createEndpoint(ctx, { url: URL })).toMatchObject({ status: 'active' })
  })

  test('take what still waits for them along when they are deleted', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    await world.happen(userId, 3)
    expect(await pendingOf(id)).toBe(3)
    await deleteEndpoint(world.as(userId), id)
    expect(await pendingOf(id)).toBe(0)
    await expect(getEndpoint(world.as(userId), id)).rejects.toMatchObject({ code: 'not_found' })
    await world.happen(userId, 1)
    expect(await pendingOf(id)).toBe(0)
  })

  test('accepts as input only events that exist', () => {
    expect(CreateEndpoint.safeParse({ url: URL, events: ['donation.failed'] }).success).toBe(true)
    expect(CreateEndpoint.safeParse({ url: URL, events: ['no.such'] }).success).toBe(false)
    expect(CreateEndpoint.safeParse({ url: URL, events: [] }).success).toBe(false)
  })
})
