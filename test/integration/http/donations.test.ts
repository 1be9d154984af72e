import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, donationBody, refusal, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const ACCOUNT = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

const createDonatable = async (api: TestApi, currency = 'USDC') => {
  const creator = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, { creator, account: ACCOUNT, currency })
  return { creator, campaignId }
}

test('records a donation, and reads it back with why it waits', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const { userId, token } = await api.signIn()
  const body = donationBody(campaignId, { userId, type: 'one-off' })
  const created = await api.ask('POST', '/api/donations', { token, body })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    success: true,
    donation: {
      userId,
      campaignId,
      status: 'pending',
      type: 'one-off',
      amount: { value: 12.5, currency: 'USDC' },
      confirmedAmount: null,
      transaction: body.transaction,
      confirmation: { reason: 'waiting_for_transaction', confirmations: 0 },
    },
  })
  const location = created.headers.get('location') ?? ''
  const read = await api.ask('GET', location, { token })
  expect(read).toMatchObject({ status: 200, body: { userId, status: 'pending' } })
})

test('keeps thirty digits of an amount exactly, both ways', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const { token } = await api.signIn()
  const digits = '123456789012.345678901234567891'
  const raw = JSON.stringify(
    donationBody(campaignId, { amount: { value: 1, currency: 'ETH' } }),
  ).replace('"value":1', `"value":${digits}`)
  const created = await api.ask('POST', '/api/donations', { token, raw })
  expect(created.status).toBe(201)
  expect(created.text).toContain(`"amount":{"value":${digits},"currency":"ETH"}`)
})

test('any number of unpaid records hides no paid donation from lists and pages', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const { token } = await api.signIn()
  const paid = await api.ask('POST', '/api/donations', { token, body: donationBody(campaignId) })
  const { id } = paid.body.donation as { id: string }
  await api.ctx.sql`update donation set status = 'reversed' where id = ${id}`
  await api.ctx.sql`
    insert into donation (id, campaign_id, chain_id, tx_hash, ledger_address, declared_asset_id,
                          declared_amount, expires_at, created_at)
    select gen_random_uuid(), campaign_id, chain_id, bytes_of('0x' || md5(i::text) || md5(i::text)),
           ledger_address, declared_asset_id, 1, now(), now() + i * interval '1 ms'
    from donation, generate_series(1, 20000) i`
  const idsOf = async (query: string) => {
    const { body } = await api.ask('GET', `/api/donations?campaignId=${campaignId}${query}`)
    return (body.donations as { id: string }[]).map((donation) => donation.id)
  }
  expect(await idsOf('')).toEqual([id])
  expect(await idsOf('&status=pending')).toHaveLength(20)
  const table = await api.ask('GET', `/api/campaigns/${campaignId}/donations.csv`)
  expect(table.text.trim().split('\n')).toHaveLength(2)
  const [plan] = await api.ctx.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>`
    explain (analyze, buffers, format json)
    select id, created_at from donation
    where campaign_id = ${campaignId} and (transfer_id is not null or status = 'reversed')
    order by created_at desc, id desc limit 21`
  const read = plan?.['QUERY PLAN'][0].Plan
  expect((read?.['Shared Hit Blocks'] ?? 0) + (read?.['Shared Read Blocks'] ?? 0)).toBeLessThan(10)
})

test('gives the same donation to the donor who records it again, and refuses another user', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const [donor, other] = [await api.signIn(), await api.signIn()]
  const body = donationBody(campaignId)
  const first = await api.ask('POST', '/api/donations', { token: donor.token, body })
  const again = await api.ask('POST', '/api/donations', { token: donor.token, body })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  const stolen = await api.ask('POST', '/api/donations', { token: other.token, body })
  expect(stolen).toMatchObject(refusal(409, 'transfer_already_claimed'))
})

test('refuses wrong amounts, currencies, hashes and campaigns', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const { token } = await api.signIn()
  const refused = async (changes: Record<string, unknown>) => {
    const answer = await api.ask('POST', '/api/donations', {
      token,
      body: donationBody(campaignId, changes),
    })
    return [answer.status, (answer.body as { code: string }).code]
  }
  const amount = (value: unknown, currency: unknown = 'USDC') => ({ amount: { value, currency } })
  expect(await refused(amount(0))).toEqual([400, 'invalid_amount'])
  expect(await refused(amount(-1))).toEqual([400, 'invalid_amount'])
  expect(await refused(amount('1.0000001'))).toEqual([400, 'invalid_amount'])
  expect(await refused(amount(1, 'DOGE'))).toEqual([400, 'unknown_currency'])
  expect(await refused(amount(1, 7))).toEqual([400, 'invalid_input'])
  expect(await refused({ amount: 12 })).toEqual([400, 'invalid_input'])
  expect(await refused({ transaction: { txHash: '0x12', ledgerAddress: ACCOUNT } })).toEqual([
    400,
    'invalid_input',
  ])
  expect(
    await refused({ transaction: { txHash: `0x${'ab'.repeat(32)}`, ledgerAddress: '0x12' } }),
  ).toEqual([400, 'invalid_input'])
  expect(await refused({ campaignId: newId() })).toEqual([404, 'not_found'])
  expect(await refused({ campaignId: 'x' })).toEqual([400, 'invalid_input'])
  expect(await refused({ userId: newId() })).toEqual([403, 'forbidden'])
})

test('refuses who is not signed in or not verified, until they are', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const body = donationBody(campaignId)
  const anonymous = await api.ask('POST', '/api/donations', { body })
  expect(anonymous).toMatchObject(refusal(401, 'unauthenticated'))
  const { userId, token } = await api.signIn({ verified: false })
  const refused = await api.ask('POST', '/api/donations', { token, body })
  expect(refused).toMatchObject(refusal(403, 'email_unverified'))
  await api.ctx.sql`update app_user set email_verified_at = now() where id = ${userId}`
  expect((await api.ask('POST', '/api/donations', { token, body })).status).toBe(201)
})

test('tells the donor only to the donor, the creator and administrators', async () => {
  const api = await createTestApi()
  const { campaignId, creator } = await createDonatable(api)
  const [donor, other, admin] = await twoUsersAndAdmin(api)
  const body = donationBody(campaignId)
  const { headers } = await api.ask('POST', '/api/donations', { token: donor.token, body })
  const path = headers.get('location') ?? ''
  const donorFor = async (token?: string) =>
    ((await api.ask('GET', path, { token })).body as { userId: unknown }).userId
  expect(await donorFor()).toBeNull()
  expect(await donorFor(other.token)).toBeNull()
  for (const { token } of [donor, creator, admin]) expect(await donorFor(token)).toBe(donor.userId)

  const listFor = async (token?: string) =>
    (await api.ask('GET', `/api/donations?userId=${donor.userId}`, { token })).status
  expect(await listFor()).toBe(403)
  expect(await listFor(other.token)).toBe(403)
  expect(await listFor(donor.token)).toBe(200)
})

test('records one donation when the same is posted fifty times at once', async () => {
  const api = await createTestApi()
  const { campaignId } = await createDonatable(api)
  const { token } = await api.signIn()
  const body = donationBody(campaignId)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.ask('POST', '/api/donations', { token, body })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
})
