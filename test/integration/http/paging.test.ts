import { expect, test } from 'vitest'
import { createTestCampaign } from '../../support/world.ts'
import { createApiWithUser, createTestApi, type TestApi } from './support/api.ts'

type List = {
  campaigns: { _id: string }[]
  pagination: {
    page: number
    limit: number
    total: number
    pages: number
    nextCursor: string | null
  }
}

/**
 * Creates campaigns. Several have the same millisecond, so that their ids must decide the order.
 */
const createCampaigns = async (api: TestApi, count: number, createdAt: Date) => {
  const { userId } = await api.signIn()
  const creator = { kind: 'user' as const, userId, roles: [] }
  for (let i = 0; i < count; i++) {
    const account = `0x${(createdAt.getTime() * 1_000 + i).toString(16).padStart(40, '0')}`
    const at = new Date(createdAt.getTime() + Math.floor(i / 3))
    await createTestCampaign(api.ctx, { creator, account, target: '10', createdAt: at })
  }
}

const listAt = async (api: TestApi, path: string) => {
  const answer = await api.ask('GET', path)
  expect(answer.status).toBe(200)
  return { ...(answer.body as unknown as List), links: linksOf(answer.headers.get('link') ?? '') }
}

const linksOf = (header: string): Record<string, string> =>
  Object.fromEntries(
    [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [rel, url]),
  )

test('pages by number, newest first, with links that keep the query', async () => {
  const api = await createTestApi()
  await createCampaigns(api, 7, new Date('2026-01-01T00:00:00Z'))
  const first = await listAt(api, '/api/campaigns?limit=3&status=active')
  expect(first.campaigns).toHaveLength(3)
  expect(first.pagination).toMatchObject({ page: 1, limit: 3, total: 7, pages: 3 })
  expect(first.links.next).toBe('/api/campaigns?limit=3&status=active&page=2')
  expect(first.links.prev).toBeUndefined()
  const second = await listAt(api, first.links.next ?? '')
  const third = await listAt(api, second.links.next ?? '')
  expect(second.links.prev).toContain('page=1')
  expect(first.links.last).toBe(third.links.prev?.replace('page=2', 'page=3'))
  expect(third.links.next).toBeUndefined()
  expect(third.pagination.nextCursor).toBeNull()
  const ids = [first, second, third].flatMap(({ campaigns }) => campaigns.map(({ _id }) => _id))
  const rows = await api.ctx.sql<{ id: string }[]>`
    select id from campaign order by created_at desc, id desc`
  expect(ids).toEqual(rows.map(({ id }) => id))
})

test('pages by cursor without gaps or doubles while rows are inserted', async () => {
  const api = await createTestApi()
  await createCampaigns(api, 8, new Date('2026-01-01T00:00:00Z'))
  const before = await api.ctx.sql<{ id: string }[]>`
    select id from campaign order by created_at desc, id desc`
  const seen: string[] = []
  let page = await listAt(api, '/api/campaigns?limit=3')
  for (let round = 0; round < 10; round++) {
    seen.push(...page.campaigns.map(({ _id }) => _id))
    const { nextCursor } = page.pagination
    if (nextCursor === null) break
    await createCampaigns(api, 2, new Date(Date.UTC(2026, 1, 1 + round)))
    page = await listAt(api, `/api/campaigns?limit=3&cursor=${nextCursor}`)
  }
  expect(seen).toEqual(before.map(({ id }) => id))
})

test('refuses pages, limits, cursors and filters that are none', async () => {
  const api = await createTestApi()
  const codeOf = async (query: string) => {
    const { status, body } = await api.ask('GET', `/api/campaigns?${query}`)
    return [status, (body as { code: string }).code]
  }
  for (const query of ['limit=101', 'limit=0', 'limit=x', 'page=0', 'page=1.5', 'page=99999']) {
    expect(await codeOf(query)).toEqual([400, 'invalid_input'])
  }
  expect(await codeOf('status=nothing')).toEqual([400, 'invalid_input'])
  expect(await codeOf('category=%00')).toEqual([400, 'invalid_input'])
  for (const cursor of ['x', 'AAAA', Buffer.from('now 1').toString('base64url'), '%00']) {
    const [status] = await codeOf(`cursor=${cursor}`)
    expect(status).toBe(400)
  }
  expect((await api.ask('GET', '/api/campaigns?status=active&category=%E4%28')).status).toBe(200)
})

test('counts and numbers 10 000 items; further ones are reached by the cursor', async () => {
  const { api, userId, token } = await createApiWithUser()
  await api.ctx.sql`
    insert into notification (id, user_id, type, title, message, created_at, updated_at)
    select gen_random_uuid(), ${userId}, 'campaign_funded', 'a', 'a',
           timestamptz '2026-01-01' + i * interval '1 s', now()
    from generate_series(1, 10000) i`
  const read = async (query: string) => {
    const path = `/api/notifications?limit=100&${query}`
    const { status, body, text, headers } = await api.ask('GET', path, { token })
    const { pagination } = body as Pick<List, 'pagination'>
    return { status, text, pagination, links: linksOf(headers.get('link') ?? '') }
  }
  const whole = await read('')
  expect(whole.pagination).toMatchObject({ total: 10_000, pages: 100 })
  expect(whole.links.last).toContain('page=100')

  await api.ctx.sql`
    insert into notification (id, user_id, type, title, message, created_at, updated_at)
    values (gen_random_uuid(), ${userId}, 'campaign_funded', 'oldest', 'a', '2025-01-01', now())`
  const first = await read('')
  expect(first.pagination).toMatchObject({ total: null, pages: null })
  expect(first.links.last).toBeUndefined()
  expect(first.links.next).toContain('page=2')
  const deepest = await read('page=100')
  expect(deepest.links.prev).toContain('page=99')
  expect(deepest.links.next).toContain('cursor=')
  expect((await api.ask('GET', deepest.links.next ?? '', { token })).text).toContain('oldest')
  const refused = await read('page=101')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('cursor')
})
