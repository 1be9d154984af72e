import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { jsonDecimal } from '../../../src/kernel/formats/json.ts'
import {
  createApiWithUser,
  createTestApi,
  donationBody,
  refusal,
  type TestApi,
} from './support/api.ts'

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const campaign = (changes: Record<string, unknown> = {}) => ({
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  targetAmount: 1000,
  category: 'water',
  location: { country: 'Kenya', region: 'Kitui', coordinates: [38.01, -1.37] },
  milestones: [{ title: 'Survey', amount: 250.25, description: 'Where to dig' }],
  ...changes,
})

type Data = { data: { id: string } }

const create = (api: TestApi, token: string, changes: Record<string, unknown> = {}) =>
  api.ask('POST', '/v1/campaigns', { token, body: campaign(changes) })

const idOf = ({ body }: { body: Record<string, unknown> }) => (body as Data).data.id

const linkWallet = (api: TestApi, userId: string, address: string, at: string, method = 'ecdsa') =>
  api.ctx.sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    values (${newId()}, ${userId}, ${address.toLowerCase()}, 31337, ${method}, ${at})`

/** Finds field names in the spelling of the other path family. */
const otherSpelling = (text: string) => text.match(/"[a-z]+_[a-z_]+":/g) ?? []

test('creates, reads and lists campaigns in camelCase, the same ones as the other family', async () => {
  const { api, token, userId } = await createApiWithUser()
  const created = await create(api, token, { ledgerAccount: ACCOUNT })
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(`/v1/campaigns/${idOf(created)}`)
  expect(created.body).toMatchObject({
    success: true,
    data: {
      creatorId: userId,
      targetAmount: 1000,
      currentAmount: 0,
      ledgerAccount: ACCOUNT,
      location: { country: 'Kenya', region: 'Kitui', coordinates: [38.01, -1.37] },
      milestones: [{ title: 'Survey', amount: 250.25, cumulativeAmount: 250.25 }],
      status: 'active',
    },
  })
  expect(otherSpelling(created.text)).toEqual([])
  const read = await api.ask('GET', `/v1/campaigns/${idOf(created)}`)
  expect(read.body).toEqual((created.body as Data).data)
  const listed = await api.ask('GET', '/v1/campaigns?category=water&status=active&limit=1&page=1')
  expect(listed.body).toMatchObject({
    success: true,
    data: [{ ...read.body, milestones: [{ id: expect.any(String), status: 'pending' }] }],
    pagination: { page: 1, limit: 1, total: 1 },
  })
  expect(listed.headers.get('link')).toContain('</v1/campaigns?')
  expect((await api.ask('GET', '/v1/campaigns?category=other')).body).toMatchObject({ data: [] })
  const other = await api.ask('GET', `/api/campaigns/${idOf(created)}`)
  expect(other.body).toMatchObject({ _id: idOf(created), target_amount: 1000 })
})

test('keeps amounts exactly, and refuses what the other family refuses', async () => {
  const { api, token } = await createApiWithUser({ settings: { defaultCurrency: 'ETH' } })
  const digits = '123456789012.345678901234567891'
  const created = await create(api, token, {
    ledgerAccount: ACCOUNT,
    targetAmount: jsonDecimal(digits),
    milestones: [],
  })
  expect(created.text).toContain(`"targetAmount":${digits},`)
  const wrong = { targetAmount: '0' }
  expect((await create(api, token, wrong)).body).toMatchObject({ code: 'invalid_amount' })
  expect((await create(api, token, { title: 'a\u0000' })).status).toBe(400)
  expect((await create(api, token, { creatorId: newId(), ledgerAccount: ACCOUNT })).status).toBe(
    403,
  )
  expect((await api.ask('POST', '/v1/campaigns', { body: campaign() })).status).toBe(401)
  expect((await api.ask('GET', `/v1/campaigns/${newId()}`)).status).toBe(404)
  expect((await api.ask('GET', '/v1/campaigns?limit=101')).status).toBe(400)
})

test("collects with the creator's first linked wallet where no account is named", async () => {
  const { api, token, userId } = await createApiWithUser()
  const other = await api.signIn()
  expect(await create(api, token)).toMatchObject(refusal(409, 'account_required'))
  await linkWallet(api, userId, `0x${'22'.repeat(20)}`, '2026-02-01')
  await linkWallet(api, userId, ACCOUNT, '2026-01-01', 'eip1271')
  await linkWallet(api, other.userId, `0x${'33'.repeat(20)}`, '2025-01-01')
  expect((await create(api, token)).body).toMatchObject({
    data: { ledgerAccount: ACCOUNT, chainId: 31337 },
  })
  // The refusal does not reveal whether the other user has a wallet.
  expect((await create(api, token, { creatorId: other.userId })).status).toBe(403)
})

test('records and reads donations with their transaction', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const donor = await api.signIn()
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  const body = donationBody(campaignId, { type: 'one-time', donor: { walletAddress: ACCOUNT } })
  const record = (sent: unknown) =>
    api.ask('POST', '/v1/donations', { token: donor.token, body: sent })
  const recorded = await record(body)
  expect(recorded).toMatchObject({
    status: 201,
    body: { success: true, data: { campaignId, userId: donor.userId, status: 'pending' } },
  })
  expect(recorded.headers.get('location')).toBe(`/v1/donations/${idOf(recorded)}`)
  expect((await record(body)).status).toBe(200)
  const read = (token?: string) => api.ask('GET', `/v1/donations/${idOf(recorded)}`, { token })
  expect((await read(donor.token)).body).toEqual((recorded.body as Data).data)
  expect((await read()).body).toMatchObject({ id: idOf(recorded), userId: null })
  expect((await api.ask('POST', '/v1/donations', { body })).status).toBe(409)
  expect((await record({ ...body, userId: creator.userId })).status).toBe(403)
  expect((await api.ask('GET', `/v1/donations/${newId()}`)).status).toBe(404)
})

test('lists donations as the other family does, and to the same callers', async () => {
  const api = await createTestApi()
  const [creator, donor] = [await api.signIn(), await api.signIn()]
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  for (const byte of ['11', '22', '33']) {
    const transaction = { txHash: `0x${byte.repeat(32)}`, ledgerAddress: ACCOUNT }
    const body = donationBody(campaignId, { transaction })
    expect((await api.ask('POST', '/v1/donations', { token: donor.token, body })).status).toBe(201)
  }
  await api.ctx.sql`
    update donation set status = 'failed', reason = 'wrong_recipient'
    where tx_hash = ${`0x${'22'.repeat(32)}`}`
  for (const query of [
    '',
    '?limit=2&page=2',
    '?status=failed',
    '?status=failed&status=pending',
    '?status=failed&status=expired',
    `?campaignId=${campaignId}&status=completed`,
    `?userId=${donor.userId}`,
  ]) {
    for (const { token } of [donor, creator, { token: '' }]) {
      const asked = token === '' ? {} : { token }
      const [v1, other] = await Promise.all([
        api.ask('GET', `/v1/donations${query}`, asked),
        api.ask('GET', `/api/donations${query}`, asked),
      ])
      const { donations, requestId: _, ...rest } = other.body
      const { data, requestId: __, ...same } = v1.body
      expect([query, v1.status, data, same]).toEqual([query, other.status, donations, rest])
      expect(v1.headers.get('link')).toEqual(
        other.headers.get('link')?.replaceAll('/api/', '/v1/') ?? null,
      )
    }
  }
  const both = await api.ask('GET', '/v1/donations?status=failed&status=expired')
  expect(both.body).toMatchObject({ data: [{ status: 'failed' }], pagination: { total: 1 } })
})

test('takes an intent without a transaction, and says exactly how to pay it', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const donor = await api.signIn()
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  const wallet = `0x${'22'.repeat(20)}`
  const post = (changes: Record<string, unknown> = {}, token = donor.token) =>
    api.ask('POST', '/v1/donations', {
      token,
      body: {
        campaignId,
        amount: { value: '12.5', currency: 'USDC' },
        donor: { walletAddress: wallet },
        ...changes,
      },
    })
  const made = await post()
  const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  expect(made).toMatchObject({
    status: 201,
    body: {
      success: true,
      data: {
        status: 'pending',
        transaction: null,
        amount: { value: 12.5, currency: 'USDC' },
        confirmation: { reason: 'waiting_for_payment' },
        payment: {
          account: ACCOUNT,
          accountId: `eip155:31337:${ACCOUNT}`,
          chainId: 31337,
          asset: `eip155:31337/erc20:${token.toLowerCase()}`,
          token,
          amount: '12.5',
          units: '12500000',
          uri: `ethereum:${token}@31337/transfer?address=${ACCOUNT}&uint256=12500000`,
          expected: { value: 12.5, currency: 'USDC' },
          received: null,
          state: 'awaiting',
          late: false,
        },
      },
    },
  })
  const read = await api.ask('GET', `/v1/donations/${idOf(made)}`, { token: donor.token })
  expect(read.body).toEqual((made.body as Data).data)
  const eth = await post({ amount: { value: '0.000000000000000001', currency: 'ETH' } })
  expect(eth.body).toMatchObject({
    data: {
      payment: {
        asset: 'eip155:31337/slip44:60',
        token: null,
        units: '1',
        uri: `ethereum:${ACCOUNT}@31337?value=1`,
      },
    },
  })
  // A repeated post makes another intent, because the donor may want to give twice.
  expect(idOf(await post())).not.toBe(idOf(made))
})

test('attaches the hash of the wallet to an intent, and cancels one that is not paid', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const { token } = await api.signIn()
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  const made = await api.ask('POST', '/v1/donations', {
    token,
    body: {
      campaignId,
      amount: { value: '1', currency: 'USDC' },
      donor: { walletAddress: `0x${'22'.repeat(20)}` },
    },
  })
  const path = `/v1/donations/${idOf(made)}`
  const txHash = `0x${'ab'.repeat(32)}`
  expect(made.body).toMatchObject({ data: { payment: { txHash: null } } })
  const attached = await api.ask('PATCH', path, {
    token,
    body: { txHash: txHash.toUpperCase().replace('0X', '0x') },
  })
  expect(attached).toMatchObject({
    status: 200,
    body: { success: true, data: { status: 'pending', payment: { txHash } } },
  })
  expect((await api.ask('GET', path)).body).toMatchObject({ payment: { txHash } })
  expect((await api.ask('PATCH', path, { token, body: { txHash: '0x12' } })).status).toBe(400)
  for (const method of ['PATCH', 'DELETE']) {
    const asked = method === 'PATCH' ? { body: { txHash } } : {}
    expect((await api.ask(method, path, asked)).status).toBe(401)
    expect((await api.ask(method, path, { ...asked, token: creator.token })).status).toBe(403)
    const unknown = await api.ask(method, `/v1/donations/${newId()}`, { ...asked, token })
    expect(unknown.status).toBe(404)
  }
  expect((await api.ask('DELETE', path, { token })).status).toBe(204)
  expect((await api.ask('GET', path)).body).toMatchObject({ status: 'failed', reason: 'cancelled' })
  expect((await api.ask('PATCH', path, { token, body: { txHash } })).status).toBe(409)
})

test('refuses an intent without a wallet, in fiat, for others or for a hundred more', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const donor = await api.signIn()
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  const intent = {
    campaignId,
    amount: { value: '1', currency: 'USDC' },
    donor: { walletAddress: `0x${'22'.repeat(20)}` },
  }
  const post = (changes: Record<string, unknown> = {}) =>
    api.ask('POST', '/v1/donations', { token: donor.token, body: { ...intent, ...changes } })
  for (const lacking of [undefined, {}]) {
    const refused = await post({ donor: lacking })
    expect(refused).toMatchObject(refusal(400, 'invalid_input', 'donor.walletAddress'))
  }
  const fiat = await post({ amount: { value: '1', currency: 'USD' } })
  expect(fiat).toMatchObject(refusal(400, 'unknown_currency'))
  expect(fiat.body.error).toContain('ETH, USDC')
  expect((await post({ donor: { walletAddress: '0x12' } })).status).toBe(400)
  expect((await post({ donor: { walletAddress: ACCOUNT } })).status).toBe(400)
  expect((await post({ userId: creator.userId })).status).toBe(403)
  expect((await post({ campaignId: newId() })).status).toBe(404)
  const named = { body: { ...intent, userId: donor.userId } }
  expect((await api.ask('POST', '/v1/donations', named)).status).toBe(401)
  await api.ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, intent, donor_wallet, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    select gen_random_uuid(), ${donor.userId}, ${campaignId}, 31337, true, 'w', bytes_of(${ACCOUNT.toLowerCase()}),
           'eip155:31337/slip44:60', 1, now(), now()
    from generate_series(1, 100)`
  expect(await post()).toMatchObject(refusal(409, 'too_many_pending'))
})

test('takes impact metrics with one exact value each', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const other = await api.signIn()
  const campaignId = idOf(await create(api, creator.token, { ledgerAccount: ACCOUNT }))
  const exact = '12345678901234567890.123456789'
  const body = {
    campaignId,
    metrics: [
      { name: 'Litres', value: jsonDecimal(exact), unit: 'l', verificationMethod: 'meter' },
    ],
  }
  const post = (token: string, sent: unknown = body) =>
    api.ask('POST', '/v1/impact/metrics', { token, body: sent })
  const created = await post(creator.token)
  expect(created.status).toBe(201)
  expect(created.text).toContain(`{"name":"Litres","value":${exact},"unit":"l"`)
  expect(created.body).toMatchObject({ success: true, data: { campaignId, status: 'reported' } })
  const listed = await api.ask('GET', `/api/impactmetrics/${campaignId}`)
  expect(listed.text).toContain(`"baseline":null,"current":${exact},"target":null`)
  expect((await post(other.token)).status).toBe(403)
  expect((await post(creator.token, { ...body, campaignId: newId() })).status).toBe(404)
  expect((await post(creator.token, { ...body, metrics: [{ name: 'x' }] })).status).toBe(400)
})
