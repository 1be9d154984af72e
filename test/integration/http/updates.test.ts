import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createTestCampaign } from '../../support/world.ts'
import { type Caller, createApiWithUser, createTestApi, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

let accounts = 0

const campaignOf = async (api: TestApi, { userId }: Caller): Promise<string> =>
  createTestCampaign(api.ctx, {
    creator: { userId },
    account: `0x${(++accounts).toString(16).padStart(40, '0')}`,
    target: '1000',
  })

const updateBody = (campaignId: string, changes: Record<string, unknown> = {}) => ({
  campaignId,
  type: 'progress',
  title: 'Water',
  content: 'The first well gives water.',
  media: [{ type: 'image', url: 'https://example.org/well.jpg', caption: 'The well' }],
  ...changes,
})

const post = (api: TestApi, token: string, body: unknown) =>
  api.ask('POST', '/api/updates', { token, body })

type Listed = {
  updates: { id: string; title: string }[]
  pagination: { nextCursor: string | null }
}

const list = async (api: TestApi, query: string, token?: string) => {
  const answer = await api.ask('GET', `/api/updates?${query}`, { token })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Listed
}

test('publishes an update, says where it is, and lists it by campaign and by type', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  const other = await campaignOf(api, creator)
  const created = await post(api, creator.token, updateBody(campaignId))
  expect(created).toMatchObject({
    status: 201,
    body: { success: true, update: { ...updateBody(campaignId) } },
  })
  const { update } = created.body as { update: { id: string } }
  expect((await api.ask('GET', created.headers.get('location') ?? '')).body).toEqual(update)
  await post(api, creator.token, updateBody(other, { type: 'thanks', media: undefined }))
  const titles = async (query: string) => (await list(api, query)).updates.length
  expect(await titles('')).toBe(2)
  expect(await titles(`campaignId=${campaignId}`)).toBe(1)
  expect(await titles('type=thanks')).toBe(1)
  expect(await titles(`campaignId=${campaignId}&type=thanks`)).toBe(0)
  expect(await titles(`campaignId=${newId()}`)).toBe(0)
})

test('lists updates with 300 characters of content and the first of their media', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  const [video, photo] = ['video', 'photo'].map((type) => ({
    type,
    url: `https://example.org/${type}`,
    caption: 'The well',
  }))
  const long = { content: 'x'.repeat(301), media: [video, photo] }
  const { headers } = await post(api, creator.token, updateBody(campaignId, long))
  await post(api, creator.token, updateBody(campaignId, { media: [] }))
  expect(await list(api, '')).toMatchObject({
    updates: [
      { content: 'The first well gives water.', media: [] },
      {
        content: `${'x'.repeat(299)}…`,
        media: [{ type: 'video', url: 'https://example.org/video' }],
      },
    ],
  })
  expect((await api.ask('GET', headers.get('location') ?? '')).body).toMatchObject(long)
})

test("refuses news of another's campaign, and media that a browser would run", async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const campaignId = await campaignOf(api, creator)
  const body = updateBody(campaignId)
  expect((await api.ask('POST', '/api/updates', { body })).status).toBe(401)
  expect((await post(api, other.token, body)).status).toBe(403)
  expect((await post(api, creator.token, updateBody(newId()))).status).toBe(404)
  const media = (url: unknown) => ({ media: [{ type: 'image', url }] })
  const wrong = [
    media('javascript:alert(1)'),
    media('data:image/svg+xml,<svg onload=alert(1)>'),
    media('https://a:b@example.org/'),
    media(`https://example.org/${'ä'.repeat(991)}`),
    media(undefined),
    { media: Array(21).fill({ type: 'image', url: 'https://example.org/' }) },
    { title: 'x'.repeat(201) },
    { title: 'a\u0000b' },
    { title: '' },
    { content: 'x'.repeat(50_001) },
    { content: undefined },
    { type: 'x'.repeat(41) },
    { campaignId: 'mine' },
  ]
  for (const changes of wrong) {
    expect((await post(api, creator.token, updateBody(campaignId, changes))).status).toBe(400)
  }
  expect(
    (await post(api, creator.token, updateBody(campaignId, { content: 'x'.repeat(300_000) })))
      .status,
  ).toBe(413)
  expect((await list(api, '')).updates).toEqual([])
  expect((await post(api, admin.token, body)).status).toBe(201)
})

test('shows news of a draft to its creator and administrators only', async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const campaignId = await campaignOf(api, creator)
  const created = await post(api, creator.token, updateBody(campaignId))
  await api.ctx.sql`update campaign set status = 'draft' where id = ${campaignId}`
  const seenBy = async (token?: string) => {
    const path = created.headers.get('location') ?? ''
    const read = await api.ask('GET', path, { token })
    return [(await list(api, '', token)).updates.length, read.status]
  }
  expect(await seenBy()).toEqual([0, 404])
  expect(await seenBy(other.token)).toEqual([0, 404])
  expect(await seenBy(creator.token)).toEqual([1, 200])
  expect(await seenBy(admin.token)).toEqual([1, 200])
})

test('pages by cursor without gaps or doubles while updates are posted', async () => {
  const { api, token, userId } = await createApiWithUser()
  const campaignId = await campaignOf(api, { token, userId })
  const add = (title: string) => post(api, token, updateBody(campaignId, { title }))
  for (let i = 0; i < 5; i++) await add(`first ${i}`)
  const seen: string[] = []
  let cursor: string | null = ''
  for (let round = 0; round < 5 && cursor !== null; round++) {
    const page: Listed = await list(api, `limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.updates.map(({ title }) => title))
    cursor = page.pagination.nextCursor
    await add('later')
  }
  expect(seen).toEqual([4, 3, 2, 1, 0].map((index) => `first ${index}`))
})
