import { expect, test } from 'vitest'
import { IMAGES, pngOfBytes } from '../../support/images.ts'
import { campaignBody, createTestApi, refusal, type TestApi } from './support/api.ts'

const DRAFT = { status: 'draft' }
const COVERS = 50
const MOST_BYTES = 500_000

/** Signs in a creator with this number of drafts. */
const withDrafts = async (api: TestApi, count: number) => {
  const creator = await api.signIn()
  await api.ctx.sql`
    with made as (
      insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                            chain_id, account, created_at, updated_at)
      select gen_random_uuid(), ${creator.userId}, 'Wells', 'Water', 'draft',
             (select id from asset where symbol = 'USDC' limit 1), 1000, 31337,
             bytes_of('0x' || repeat('1', 40)), now(), now()
      from generate_series(1, ${count}::int)
      returning id
    )
    insert into campaign_total (campaign_id, updated_at) select id, now() from made`
  return creator
}

const create = (api: TestApi, token: string, changes: object = {}) =>
  api.ask('POST', '/api/campaigns', { token, body: campaignBody({ ...changes }) })

const put = (api: TestApi, token: string, id: string, raw: Uint8Array<ArrayBuffer>) => {
  const headers = { 'content-type': 'image/png' }
  return api.ask('PUT', `/api/campaigns/${id}/cover`, { token, raw, headers })
}

test('an account has at most 100 drafts, and its open campaigns do not count', async () => {
  const api = await createTestApi()
  const { token } = await withDrafts(api, 98)
  expect((await create(api, token)).status).toBe(201)
  const answers = await Promise.all(Array.from({ length: 4 }, () => create(api, token, DRAFT)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
  expect(await create(api, token, DRAFT)).toMatchObject(refusal(409, 'conflict'))
  const other = await api.signIn()
  expect((await create(api, other.token, DRAFT)).status).toBe(201)
  const made = answers.find(({ status }) => status === 201)?.body.campaign as { _id: string }
  expect((await api.ask('DELETE', `/api/campaigns/${made._id}`, { token })).status).toBe(204)
  expect((await create(api, token, DRAFT)).status).toBe(201)
})

test('the covers of an account have at most 25 MB together', async () => {
  const api = await createTestApi()
  const { token, userId } = await withDrafts(api, COVERS + 1)
  const [spare, ...full] = await api.ctx.sql<{ id: string }[]>`
    select id from campaign where creator_id = ${userId}`
  const id = spare?.id ?? ''
  await api.ctx.sql`
    insert into campaign_cover (campaign_id, type, width, height, tag, bytes)
    select id, 'image/png', 1, 1, 'x', decode(repeat('00', ${MOST_BYTES}::int), 'hex')
    from campaign where id = any(${full.map((one) => one.id)}::uuid[])`
  expect(await put(api, token, id, IMAGES.PNG)).toMatchObject({
    status: 409,
    body: { code: 'conflict', error: expect.stringContaining('25 MB') },
  })
  // Replacing a cover by a smaller one frees space, and a new cover may fill it completely.
  const [first] = full
  expect((await put(api, token, first?.id ?? '', IMAGES.PNG)).status).toBe(200)
  const rest = pngOfBytes(MOST_BYTES - IMAGES.PNG.length)
  expect((await put(api, token, id, rest)).status).toBe(200)
  const other = await withDrafts(api, 1)
  const [own] = await api.ctx.sql<{ id: string }[]>`
    select id from campaign where creator_id = ${other.userId}`
  expect((await put(api, other.token, own?.id ?? '', IMAGES.PNG)).status).toBe(200)
})
