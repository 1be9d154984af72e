import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createApiWithUser, createCampaign, type TestApi } from './support/api.ts'

const create = async (api: TestApi, token: string, status = 'draft') =>
  (await createCampaign(api, token, { status }))._id

const addAll = async (api: TestApi, token: string, campaignId: string) => {
  const news = { campaignId, type: 'news', title: 'Soon', content: 'We begin soon.' }
  const impact = { campaignId, metrics: [{ name: 'wells', current: 1 }] }
  return Promise.all([
    api.ask('POST', '/api/updates', { token, body: news }),
    api.ask('POST', '/api/impactmetrics', { token, body: impact }),
  ])
}

const remove = (api: TestApi, id: string, token?: string) =>
  api.ask('DELETE', `/api/campaigns/${id}`, { token })

const rowsOf = async ({ ctx }: TestApi) => {
  const [row] = await ctx.sql<{ rows: number }[]>`
    select ((select count(*) from campaign) + (select count(*) from campaign_total) +
            (select count(*) from milestone) + (select count(*) from campaign_update) +
            (select count(*) from impact_metrics))::int as rows`
  return row?.rows
}

test('deletes a draft with all that belongs to it, by its creator or an administrator', async () => {
  const { api, token } = await createApiWithUser()
  const admin = await api.signIn({ roles: ['admin'] })
  for (const caller of [token, admin.token]) {
    const id = await create(api, token)
    for (const { status } of await addAll(api, token, id)) expect(status).toBe(201)
    expect(await rowsOf(api)).toBe(5)
    expect((await remove(api, id, caller)).status).toBe(204)
    expect(await rowsOf(api)).toBe(0)
    expect((await remove(api, id, caller)).status).toBe(404)
    expect((await api.ask('GET', `/api/campaigns/${id}`, { token })).status).toBe(404)
  }
})

test('deletes no campaign that was open, and no draft of another user', async () => {
  const { api, token } = await createApiWithUser()
  const other = await api.signIn()
  const draft = await create(api, token)
  const open = await create(api, token, 'active')
  expect((await remove(api, draft)).status).toBe(401)
  expect((await remove(api, draft, other.token)).status).toBe(404)
  expect((await remove(api, open, other.token)).status).toBe(403)
  expect((await remove(api, newId(), token)).status).toBe(404)
  for (const status of ['active', 'funded', 'completed', 'cancelled']) {
    await api.ctx.sql`update campaign set status = ${status} where id = ${open}`
    const refused = await remove(api, open, token)
    expect([status, refused.status, refused.body.code]).toEqual([status, 409, 'conflict'])
  }
  const waits = await create(api, token)
  const patched = await api.ask('PATCH', `/api/campaigns/${waits}`, {
    token,
    body: { status: 'cancelled' },
  })
  expect(patched.status).toBe(200)
  expect((await remove(api, waits, token)).status).toBe(409)
})

test('deletes a draft while news and reports of it are posted, and answers all of them', async () => {
  const { api, token } = await createApiWithUser()
  for (let round = 0; round < 5; round++) {
    const id = await create(api, token)
    const [removed, ...posted] = await Promise.all([
      remove(api, id, token),
      ...[1, 2, 3].map(() => addAll(api, token, id)),
    ])
    expect(removed.status).toBe(204)
    for (const { status } of posted.flat()) expect([201, 404]).toContain(status)
    expect(await rowsOf(api)).toBe(0)
  }
})

test('deletes a draft or opens it, whichever comes first', async () => {
  const { api, token } = await createApiWithUser()
  for (let round = 0; round < 5; round++) {
    const id = await create(api, token)
    const [removed, opened] = await Promise.all([
      remove(api, id, token),
      api.ask('PATCH', `/api/campaigns/${id}`, { token, body: { status: 'active' } }),
    ])
    const statuses = `${removed.status} ${opened.status}`
    expect(['204 404', '409 200']).toContain(statuses)
    await api.ctx.sql`update campaign set status = 'completed'`
  }
})
