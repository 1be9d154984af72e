import { expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { addToTotals } from '../../../src/domain/books/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { jsonDecimal } from '../../../src/kernel/formats/json.ts'
import { waitForLock } from '../../support/wait-for.ts'
import { createApiWithUser, createCampaign, refusal, type TestApi } from './support/api.ts'

const OTHER_ACCOUNT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

type Campaign = { _id: string; status: string; milestones: { amount: number }[] }

const create = createCampaign<Campaign>

const change = (api: TestApi, token: string, id: string, body: unknown) =>
  api.ask('PATCH', `/api/campaigns/${id}`, { token, body })

const eventsOf = async (api: TestApi) => {
  const rows = await api.ctx.sql<{ body: string }[]>`
    select event.body from event where type = 'campaign.updated' order by seq`
  return rows.map(({ body }) => JSON.parse(body).data as Record<string, unknown>)
}

test('changes what a creator may change, says so in an event, and leaves the rest', async () => {
  const { api, token } = await createApiWithUser()
  const campaign = await create(api, token, { category: 'water', location: { country: 'Kenya' } })
  const changed = await change(api, token, campaign._id, {
    title: 'Wells for Makueni',
    category: null,
    location: { region: 'Makueni', coordinates: [37.6, -1.8] },
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({
    success: true,
    campaign: {
      ...campaign,
      title: 'Wells for Makueni',
      category: null,
      location: { country: null, region: 'Makueni', coordinates: [37.6, -1.8] },
      updated_at: expect.any(String),
    },
  })
  expect(await eventsOf(api)).toMatchObject([
    { campaignId: campaign._id, changes: ['title', 'category', 'location'], status: 'active' },
  ])
  const again = await change(api, token, campaign._id, {
    title: 'Wells for Makueni',
    location: { region: 'Makueni', coordinates: [37.6, -1.8] },
    status: 'active',
    target_amount: 1000,
  })
  expect(again).toMatchObject({ status: 200, body: changed.body })
  expect(await eventsOf(api)).toHaveLength(1)
})

test('a draft may change its target, milestones and account, exactly, until it is active', async () => {
  const { api, token } = await createApiWithUser({ settings: { defaultCurrency: 'ETH' } })
  const { _id: id } = await create(api, token, { status: 'draft' })
  const digits = '123456789012.345678901234567891'
  const changed = await change(api, token, id, {
    target_amount: jsonDecimal(digits),
    milestones: [{ description: 'All of it', amount: digits }],
    ledger_account: OTHER_ACCOUNT,
    status: 'active',
  })
  expect(changed.status).toBe(200)
  expect(changed.text).toContain(`"target_amount":${digits},`)
  expect(changed.text).toContain(`"amount":${digits},"cumulative_amount":${digits},`)
  expect(changed.body).toMatchObject({
    campaign: { status: 'active', ledger_account: OTHER_ACCOUNT },
  })
  const [row] = await api.ctx.sql`select opened_at is not null as opened from campaign`
  expect(row).toEqual({ opened: true })
  for (const body of [
    { target_amount: 1 },
    { milestones: [] },
    { ledger_account: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
    { title: 'together', target_amount: 1 },
  ]) {
    expect(await change(api, token, id, body)).toMatchObject(refusal(409, 'conflict'))
  }
  expect((await api.ask('GET', `/api/campaigns/${id}`)).text).toContain(digits)
})

test('refuses milestones above the target, whichever of the two changes', async () => {
  const { api, token } = await createApiWithUser()
  const { _id: id } = await create(api, token, { status: 'draft' })
  for (const body of [
    { target_amount: '249.999999' },
    { milestones: [{ description: 'too much', amount: '1000.000001' }] },
    { ledger_account: `eip155:1:${OTHER_ACCOUNT}` },
  ]) {
    expect((await change(api, token, id, body)).status).toBe(400)
  }
  expect((await change(api, token, id, { target_amount: 250 })).status).toBe(200)
  const both = { target_amount: 20, milestones: [{ description: 'one', amount: 20 }] }
  expect((await change(api, token, id, both)).status).toBe(200)
})

test('moves a status only along its way, and a closed campaign not at all', async () => {
  const { api, token } = await createApiWithUser()
  const refused = async (id: string, body: unknown) => {
    const answer = await change(api, token, id, body)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  }
  const draft = await create(api, token, { status: 'draft' })
  await refused(draft._id, { status: 'completed' })
  await refused(draft._id, { status: 'funded' })
  expect((await change(api, token, draft._id, { status: 'active' })).status).toBe(200)
  await refused(draft._id, { status: 'draft' })
  await refused(draft._id, { status: 'funded' })
  const rival = await create(api, token, { status: 'draft' })
  expect((await change(api, token, rival._id, { status: 'active' })).body).toMatchObject({
    code: 'account_in_use',
  })
  expect((await change(api, token, draft._id, { status: 'completed' })).status).toBe(200)
  await refused(draft._id, { status: 'active' })
  await refused(draft._id, { title: 'too late' })
  expect((await change(api, token, draft._id, { status: 'completed' })).status).toBe(200)
  expect((await change(api, token, rival._id, { status: 'active' })).status).toBe(200)
  expect((await change(api, token, rival._id, { status: 'cancelled' })).status).toBe(200)
  await refused(rival._id, { status: 'active' })
})

test('a campaign becomes active only once its account has signed, where that is asked for', async () => {
  const { api, token } = await createApiWithUser({ settings: { requireAccountProof: true } })
  const { _id: id } = await create(api, token)
  const activate = { status: 'active' }
  expect(await change(api, token, id, activate)).toMatchObject({
    status: 409,
    body: { code: 'account_not_proven', requires: 'account_proof' },
  })
  await api.ctx.sql`update campaign set account_proven_at = now() where id = ${id}`
  const elsewhere = { ...activate, ledger_account: OTHER_ACCOUNT }
  expect((await change(api, token, id, elsewhere)).status).toBe(409)
  expect((await change(api, token, id, activate)).status).toBe(200)
})

test('a change of the account takes back the proof of the old one', async () => {
  const { api, token } = await createApiWithUser()
  const { _id: id } = await create(api, token, { status: 'draft' })
  await api.ctx.sql`update campaign set account_proven_at = now() where id = ${id}`
  const changed = await change(api, token, id, { ledger_account: OTHER_ACCOUNT })
  expect(changed.body).toMatchObject({ campaign: { account_proven: false } })
})

test("refuses others' campaigns, and input that changes nothing or is none", async () => {
  const { api, token } = await createApiWithUser()
  const other = await api.signIn()
  const admin = await api.signIn({ roles: ['admin'] })
  const { _id: id } = await create(api, token)
  const draft = await create(api, token, { status: 'draft' })
  expect((await api.ask('PATCH', `/api/campaigns/${id}`, { body: { title: 'x' } })).status).toBe(
    401,
  )
  expect((await change(api, other.token, id, { title: 'mine' })).status).toBe(403)
  expect((await change(api, other.token, draft._id, { title: 'mine' })).status).toBe(404)
  expect((await change(api, token, newId(), { title: 'x' })).status).toBe(404)
  for (const body of [
    {},
    { creator_id: other.userId },
    { title: '' },
    { title: null },
    { title: 'x'.repeat(201) },
    { title: 'a\u0000b' },
    { status: 'paused' },
    { target_amount: 0 },
    { milestones: null },
    { ledger_account: OTHER_ACCOUNT.replace('3C', '3c') },
  ]) {
    expect((await change(api, token, id, body)).status).toBe(400)
  }
  expect(await eventsOf(api)).toEqual([])
  expect((await change(api, admin.token, id, { title: 'corrected' })).status).toBe(200)
})

test('settling and a creator who cancels at the same moment: one of them wins, never both', async () => {
  const { api, userId, token } = await createApiWithUser()
  for (let round = 0; round < 6; round++) {
    const account = `0x${String(round + 1).repeat(40)}`
    const { _id: id } = await create(api, token, { ledger_account: account, milestones: [] })
    const currencyId = api.ctx.settings.assets.bySymbol('USDC', 31337).id
    const settle = withTransaction(api.ctx, (ctx) =>
      addToTotals(ctx, [
        { campaignId: id, creatorId: userId, currencyId, credited: 1_000_000_000n },
      ]),
    )
    const [funded, cancelled] = await Promise.all([
      settle,
      change(api, token, id, { status: 'cancelled' }),
    ])
    const read = await api.ask('GET', `/api/campaigns/${id}`)
    const status = String(read.body.status)
    // The event and the answer agree with the status in the row.
    expect([funded.length, cancelled.status, status]).toEqual(
      cancelled.status === 200 ? [0, 200, 'cancelled'] : [1, 409, 'funded'],
    )
  }
})

test('a creator who cancels while settling holds the campaign waits, and then sees it funded', async () => {
  const { api, userId, token } = await createApiWithUser()
  const { _id: id } = await create(api, token, { milestones: [] })
  const currencyId = api.ctx.settings.assets.bySymbol('USDC', 31337).id
  const movement = { campaignId: id, creatorId: userId, currencyId, credited: 1_000_000_000n }
  const cancelled = await withTransaction(api.ctx, async (ctx) => {
    await addToTotals(ctx, [movement])
    const asked = change(api, token, id, { status: 'cancelled', title: 'Cancelled' })
    await waitForLock(api.ctx.sql)
    return { asked }
  })
  expect((await cancelled.asked).body).toMatchObject({ code: 'conflict' })
  const read = await api.ask('GET', `/api/campaigns/${id}`)
  expect(read.body).toMatchObject({ status: 'funded', title: 'Wells for Kitui' })
})
