import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { type Answered, campaignBody, createApiWithUser, type TestApi } from './support/api.ts'

type Campaign = { _id: string; slug: string; ends_at: string | null; creator_name: string | null }

let accounts = 0
const create = async (api: TestApi, token: string, changes: Record<string, unknown> = {}) => {
  const account = `0x${(++accounts).toString(16).padStart(40, '0')}`
  const body = campaignBody({ ledger_account: account, ...changes })
  return api.ask('POST', '/api/campaigns', { token, body })
}
const campaignOf = ({ body, text }: Answered): Campaign => {
  expect(body.campaign, text).toBeDefined()
  return body.campaign as Campaign
}
const refused = (path: string, code = 'invalid_input') => ({
  status: code === 'conflict' ? 409 : 400,
  body: { code, details: [{ path }] },
})

test('makes a slug from the title, and one of its own for each campaign with that title', async () => {
  const { api, token } = await createApiWithUser()
  const slugOf = async (title: string) => campaignOf(await create(api, token, { title })).slug
  expect(await slugOf('Wells for Kitui!')).toBe('wells-for-kitui')
  expect(await slugOf('wells – FOR – kitui')).toMatch(/^wells-for-kitui-[0-9a-f]{8}$/)
  expect(await slugOf('Brücken & Straßen, à propos')).toBe('brucken-strassen-a-propos')
  expect(await slugOf('井戸')).toMatch(/^campaign-[0-9a-f]{8}$/)
  expect(await slugOf('--')).toMatch(/^campaign-[0-9a-f]{8}$/)
  expect(await slugOf(newId())).toMatch(/^[0-9a-f-]{36}-[0-9a-f]{8}$/)
  expect(await slugOf(`${'a'.repeat(59)} ${'b'.repeat(100)}`)).toBe('a'.repeat(59))
  const same = await Promise.all(Array.from({ length: 10 }, () => slugOf('At once')))
  expect(new Set(same).size).toBe(10)
  expect(same).toContain('at-once')
})

test('finds a campaign by its slug in both families, and a draft for its creator only', async () => {
  const { api, token } = await createApiWithUser()
  const other = await api.signIn()
  const made = campaignOf(await create(api, token, { slug: 'kitui-2026' }))
  expect(made.slug).toBe('kitui-2026')
  for (const name of ['kitui-2026', 'Kitui-2026', made._id, made._id.toUpperCase()]) {
    expect((await api.ask('GET', `/api/campaigns/${name}`)).body).toEqual(made)
    expect((await api.ask('GET', `/v1/campaigns/${name}`)).body).toMatchObject({
      id: made._id,
      slug: 'kitui-2026',
    })
  }
  const listed = await api.ask('GET', '/api/campaigns')
  expect(listed.body.campaigns).toMatchObject([{ slug: 'kitui-2026' }])
  await create(api, token, { slug: 'secret', status: 'draft' })
  const statusFor = async (token?: string) =>
    (await api.ask('GET', '/api/campaigns/secret', { token })).status
  expect(await statusFor()).toBe(404)
  expect(await statusFor(other.token)).toBe(404)
  expect(await statusFor(token)).toBe(200)
  for (const name of ['nothing', 'a_b', 'a--b', '%00', '..%2fadmin', 'x'.repeat(81)]) {
    expect((await api.ask('GET', `/api/campaigns/${name}`)).status).toBe(404)
  }
})

test('refuses slugs that are taken, are no slugs or could be an id, and a change of an open one', async () => {
  const { api, token } = await createApiWithUser()
  const { _id: id } = campaignOf(await create(api, token, { slug: 'one' }))
  const wrong = ['', 'A', 'a b', 'a_b', '-a', 'a-', 'a--b', 'ä', 'a/b', 'x'.repeat(81), newId()]
  for (const slug of [...wrong, 1, null]) {
    expect(await create(api, token, { slug }), String(slug)).toMatchObject(refused('slug'))
  }
  expect(await create(api, token, { slug: 'one' })).toMatchObject(refused('slug', 'conflict'))
  const draft = campaignOf(await create(api, token, { slug: 'two', status: 'draft' }))
  const change = (id: string, body: object) =>
    api.ask('PATCH', `/api/campaigns/${id}`, { token, body })
  expect(await change(draft._id, { slug: 'one' })).toMatchObject(refused('slug', 'conflict'))
  expect(await change(draft._id, { slug: 'three' })).toMatchObject({
    status: 200,
    body: { campaign: { slug: 'three' } },
  })
  expect((await api.ask('GET', '/api/campaigns/two', { token })).status).toBe(404)
  expect(campaignOf(await create(api, token, { slug: 'two' })).slug).toBe('two')
  expect((await change(id, { slug: 'one' })).status).toBe(200)
  expect(await change(id, { slug: 'four' })).toMatchObject({ status: 409 })
})

test('keeps the name of the creator and the announced end, which change until the campaign ends', async () => {
  const clock = createFakeClock(new Date('2026-03-01T00:00:00Z'))
  const { api, token, userId } = await createApiWithUser({ clock })
  const past = { ends_at: '2026-02-28T23:59:59Z' }
  const fields = { creator_name: 'Water e.V.', ends_at: '2026-12-31T23:00:00+01:00' }
  expect(await create(api, token, past)).toMatchObject(refused('ends_at'))
  for (const ends_at of ['2026-03-01T00:00:00Z', 'soon', '2026-12-31', 7]) {
    expect(await create(api, token, { ends_at })).toMatchObject(refused('ends_at'))
  }
  for (const creator_name of ['', 'a\nb', '\u202eb', 'x'.repeat(81), 7]) {
    expect(await create(api, token, { creator_name })).toMatchObject(refused('creator_name'))
  }
  const made = campaignOf(await create(api, token, fields))
  expect(made).toMatchObject({ ...fields, ends_at: '2026-12-31T22:00:00.000Z' })
  const change = (body: object, caller = token) =>
    api.ask('PATCH', `/api/campaigns/${made._id}`, { token: caller, body })
  expect(await change(past)).toMatchObject(refused('ends_at'))
  expect((await change(fields)).body).toEqual({ success: true, campaign: made })
  // A year later the campaign has ended, but its fields are unchanged.
  clock.advance(365 * 24 * 3_600_000)
  const later = await api.tokens.issue({ userId, sessionId: userId, roles: [], verified: true })
  expect((await change({ ends_at: made.ends_at }, later)).status).toBe(200)
  expect((await api.ask('GET', `/api/campaigns/${made._id}`)).body).toEqual(made)
  const donation = await api.ask('POST', '/v1/donations', {
    body: {
      campaignId: made._id,
      amount: { value: '1', currency: 'USDC' },
      donor: { walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    },
  })
  expect(donation.status).toBe(201)
  expect((await change({ creator_name: null, ends_at: null }, later)).body).toMatchObject({
    campaign: { creator_name: null, ends_at: null },
  })
  const changes = await api.ctx.sql<{ body: string }[]>`select event.body from event order by seq`
  expect(changes.map(({ body }) => JSON.parse(body).data.changes)).toEqual([
    ['creatorName', 'endsAt'],
  ])
})

test('takes the same fields in camelCase', async () => {
  const { api, token } = await createApiWithUser()
  const fields = { creatorName: 'Ada', slug: 'ada', endsAt: '2099-01-01T00:00:00.000Z' }
  const body = {
    title: 'Wells',
    description: 'Water.',
    targetAmount: 10,
    ledgerAccount: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ...fields,
  }
  const made = await api.ask('POST', '/v1/campaigns', { token, body })
  expect(made).toMatchObject({ status: 201, body: { data: fields } })
  expect(await api.ask('POST', '/v1/campaigns', { token, body })).toMatchObject(
    refused('slug', 'conflict'),
  )
  const past = { ...body, slug: 'other', endsAt: '2001-01-01T00:00:00Z' }
  expect(await api.ask('POST', '/v1/campaigns', { token, body: past })).toMatchObject(
    refused('endsAt'),
  )
})
