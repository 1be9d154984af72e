import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { campaignBody, createTestApi, type TestApi } from './support/api.ts'

type Listed = {
  campaigns: { _id: string; title: string }[]
  pagination: { total: number; nextCursor: string | null }
}

const create = async (api: TestApi, token: string, changes: Record<string, unknown>) => {
  const body = campaignBody({ ledger_account: address(String(changes.title)), ...changes })
  expect((await api.ask('POST', '/api/campaigns', { token, body })).status).toBe(201)
}

const list = async (api: TestApi, query: Record<string, string> | string, token?: string) => {
  const path = `/api/campaigns?${new URLSearchParams(query)}`
  const answer = await api.ask('GET', path, token ? { token } : {})
  expect(answer.status).toBe(200)
  return answer.body as unknown as Listed
}

const titles = async (...asked: Parameters<typeof list>): Promise<string[]> =>
  (await list(...asked)).campaigns.map(({ title }) => title)

test('lists campaigns of several statuses, each named in a parameter of its own', async () => {
  const api = await createTestApi()
  const { token } = await api.signIn()
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
