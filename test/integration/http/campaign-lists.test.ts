import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import {
  createApiWithUser,
  createCampaign,
  createTestApi,
  refusal,
  type TestApi,
} from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

type Listed = {
  campaigns: { _id: string; title: string }[]
  pagination: { total: number; nextCursor: string | null }
}

const create = (api: TestApi, token: string, changes: Record<string, unknown>) =>
  createCampaign(api, token, { ledger_account: address(String(changes.title)), ...changes })

const list = async (api: TestApi, query: Record<string, string> | string, token?: string) => {
  const path = `/api/campaigns?${new URLSearchParams(query)}`
  const answer = await api.ask('GET', path, { token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Listed
}

const titles = async (...asked: Parameters<typeof list>): Promise<string[]> =>
  (await list(...asked)).campaigns.map(({ title }) => title)

test('lists to users their own campaigns, with their drafts', async () => {
  const api = await createTestApi()
  const [one, other, admin] = await twoUsersAndAdmin(api)
  await create(api, one.token, { title: 'first' })
  await create(api, one.token, { title: 'second', status: 'draft' })
  await create(api, other.token, { title: 'third', status: 'draft' })
  const mine = { creator: 'me' }
  expect(await titles(api, mine, one.token)).toEqual(['second', 'first'])
  expect(await titles(api, { ...mine, status: 'draft' }, one.token)).toEqual(['second'])
  expect(await titles(api, mine, other.token)).toEqual(['third'])
  expect(await titles(api, mine, admin.token)).toEqual([])
  const v1 = await api.ask('GET', '/v1/campaigns?creator=me', { token: one.token })
  expect(v1.body.data).toMatchObject([{ title: 'second' }, { title: 'first' }])
  for (const path of ['/api/campaigns', '/v1/campaigns']) {
    const refused = await api.ask('GET', `${path}?creator=me`)
    expect(refused).toMatchObject(refusal(401, 'unauthenticated'))
    const another = await api.ask('GET', `${path}?creator=${one.userId}`, { token: one.token })
    expect(another).toMatchObject({ status: 400, body: { details: [{ path: 'creator' }] } })
  }
})

test('finds campaigns by words of title, description and place, or by their beginnings', async () => {
  const { api, token } = await createApiWithUser()
  await create(api, token, { title: 'Wells', location: { country: 'Kenya', region: 'Kitui' } })
  await create(api, token, { title: 'École', description: 'Books for Ärzte, 100% of them' })
  await create(api, token, { title: 'Hidden wells', status: 'draft' })
  const found: [q: string, titles: string[]][] = [
    ['wells', ['Wells']],
    ['WEL kit', ['Wells']],
    ['clean water', ['Wells']],
    ['kenya', ['Wells']],
    ['wells books', []],
    ['ells', []],
    ['école', ['École']],
    ['ki', []],
    ['kit', ['Wells']],
    ['of', ['École']],
    ['ÄRZ', ['École']],
    ["b'x", []],
    ['100%', ['École']],
  ]
  for (const [q, expected] of found) expect([q, await titles(api, { q })]).toEqual([q, expected])
  expect(await titles(api, { q: 'wells' }, token)).toEqual(['Hidden wells', 'Wells'])
  expect(await titles(api, { q: 'wells', status: 'draft' }, token)).toEqual(['Hidden wells'])
  for (const q of [
    "'",
    "a' b",
    '\\',
    "x.org/a'",
    "x.org/a\\'b c",
    '& | ! :*',
    '-',
    "'':*",
    '<->',
  ]) {
    expect([q, (await list(api, { q })).campaigns]).toEqual([q, []])
  }
  expect(await titles(api, { q: 'for '.repeat(8) })).toEqual(['École', 'Wells'])
  for (const q of ['', ' ', 'x'.repeat(101), 'a\u0000', 'for '.repeat(9), 'a.'.repeat(9)]) {
    const answer = await api.ask('GET', `/api/campaigns?${new URLSearchParams({ q })}`)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'q' }] } })
  }
})

test('ends a search that takes longer than a second, and says what to do', async () => {
  const api = await createTestApi()
  await api.ctx.pool.begin(async (sql) => {
    await sql`lock table campaign in access exclusive mode`
    const answer = await api.ask('GET', '/api/campaigns?q=wells')
    expect(answer).toMatchObject(refusal(503, 'unavailable'))
    expect(answer.body.error).toContain('Use longer words')
  })
  expect((await list(api, { q: 'wells' })).campaigns).toEqual([])
})

test('finds a campaign by its new words once it is changed', async () => {
  const { api, token } = await createApiWithUser()
  await create(api, token, { title: 'Wells' })
  const [{ _id: id } = { _id: '' }] = (await list(api, {})).campaigns
  const body = { title: 'Pumps', location: { region: 'Makueni' } }
  expect((await api.ask('PATCH', `/api/campaigns/${id}`, { token, body })).status).toBe(200)
  expect(await titles(api, { q: 'wells' })).toEqual([])
  expect(await titles(api, { q: 'pumps makueni' })).toEqual(['Pumps'])
})

test('sorts campaigns by age, either way, by page and by cursor', async () => {
  const { api, token } = await createApiWithUser()
  const made = ['a', 'b', 'c', 'd', 'e']
  for (const title of made) await create(api, token, { title })
  for (const [sort, expected] of [
    ['oldest', made],
    ['newest', made.toReversed()],
  ] as const) {
    expect(await titles(api, { sort })).toEqual(expected)
    expect(await titles(api, { sort, limit: '2', page: '2' })).toEqual(expected.slice(2, 4))
    const seen: string[] = []
    let page = await list(api, { sort, limit: '2' })
    while (seen.push(...page.campaigns.map(({ title }) => title)) < made.length) {
      page = await list(api, { sort, limit: '2', cursor: page.pagination.nextCursor ?? '' })
    }
    expect(seen).toEqual(expected)
    expect(page.pagination.nextCursor).toBeNull()
  }
  expect((await api.ask('GET', '/api/campaigns?sort=raised')).status).toBe(400)
})

test('lists campaigns of several statuses, each named in a parameter of its own', async () => {
  const { api, token } = await createApiWithUser()
  await create(api, token, { title: 'open' })
  await create(api, token, { title: 'draft', status: 'draft' })
  await create(api, token, { title: 'funded' })
  await api.ctx.sql`update campaign set status = 'funded' where title = 'funded'`
  expect(await titles(api, 'status=active&status=funded', token)).toEqual(['funded', 'open'])
  expect(await titles(api, 'status=active&status=draft&status=active', token)).toEqual([
    'draft',
    'open',
  ])
  expect(await titles(api, 'status=active&status=draft')).toEqual(['open'])
  const v1 = await api.ask('GET', '/v1/campaigns?status=funded&status=active&limit=1')
  expect(v1.body).toMatchObject({ data: [{ title: 'funded' }], pagination: { total: 2 } })
  expect(v1.headers.get('link')).toContain('status=funded&status=active&limit=1&page=2')
  for (const query of ['status=active,funded', 'status=active&status=x', 'status=']) {
    const { status, body } = await api.ask('GET', `/api/campaigns?${query}`)
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_input'])
  }
})
