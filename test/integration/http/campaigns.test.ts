import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { jsonDecimal } from '../../../src/kernel/formats/json.ts'
import {
  campaignBody,
  createApiWithUser,
  createCampaign,
  createTestApi,
  refusal,
} from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const DOC = 'https://example.org/survey.pdf'
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('creates a campaign, says where it is, and reads it back as the interface shows it', async () => {
  const { api, userId, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({
      creator_id: userId,
      category: 'water',
      location: { country: 'Kenya', region: 'Kitui', coordinates: [38.01, -1.37] },
      milestones: [
        { title: 'Survey', description: 'Where to dig', amount: 250.25, verification_docs: [DOC] },
        { description: 'Dig', amount: '749.75' },
      ],
    }),
  })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    success: true,
    campaign: {
      title: 'Wells for Kitui',
      target_amount: 1000,
      current_amount: 0,
      currency: 'USDC',
      creator_id: userId,
      ledger_account: ACCOUNT,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status: 'active',
      category: 'water',
      milestones: [
        { amount: 250.25, cumulative_amount: 250.25, status: 'pending', verification_docs: [DOC] },
        { title: null, amount: 749.75, cumulative_amount: 1000, verification_docs: [] },
      ],
    },
  })
  const campaign = (created.body as { campaign: { _id: string } }).campaign
  const location = created.headers.get('location') ?? ''
  expect(location).toBe(`/api/campaigns/${campaign._id}`)
  const read = await api.ask('GET', location)
  expect(read.status).toBe(200)
  expect(read.body).toEqual(campaign)
})

test('takes web addresses only as verification documents', async () => {
  const { api, token } = await createApiWithUser()
  const { _id: id } = await createCampaign(api, token)
  const wrong = [
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://example.org/a',
    '//example.org/a',
    'a',
    '',
    'https://example.org/a b',
    'https://example.org@evil.example/',
    ' https://example.org/',
    'https://',
  ]
  for (const doc of wrong) {
    const milestone = { description: 'Dig', amount: 1 }
    const milestones = [{ ...milestone, verification_docs: [DOC, doc] }]
    const v1 = { title: 'Wells', description: 'Water.', targetAmount: 10, status: 'draft' }
    const answers = await Promise.all([
      api.ask('POST', '/api/campaigns', { token, body: campaignBody({ milestones }) }),
      api.ask('PATCH', `/api/campaigns/${id}`, { token, body: { milestones } }),
      api.ask('POST', '/v1/campaigns', {
        token,
        body: { ...v1, milestones: [{ ...milestone, verificationDocs: [doc] }] },
      }),
    ])
    for (const { status, body } of answers) {
      expect([doc, status, body.code]).toEqual([doc, 400, 'invalid_input'])
    }
  }
})

test('lists campaigns without long texts: 300 characters of the description, ids of milestones', async () => {
  const { api, token } = await createApiWithUser()
  const description = 'é'.repeat(300)
  const long = { ledger_account: `0x${'2'.repeat(40)}`, description: `${description}!` }
  type Body = Record<string, unknown>
  const single: Body[] = []
  for (const changes of [{ description }, long]) {
    const body = campaignBody({ category: 'water', location: { country: 'Kenya' }, ...changes })
    const { headers } = await api.ask('POST', '/api/campaigns', { token, body })
    single.unshift((await api.ask('GET', headers.get('location') ?? '')).body)
  }
  expect(single[0]?.description).toBe(long.description)
  const [newest, oldest] = single.map(
    ({ milestones, ...campaign }): Body => ({
      ...campaign,
      milestones: (milestones as Body[]).map(({ id, status }) => ({ id, status })),
    }),
  )
  const shortened = { ...newest, description: `${'é'.repeat(299)}…` }
  const { body } = await api.ask('GET', '/api/campaigns')
  expect(body.campaigns).toEqual([shortened, oldest])
  const v1 = (await api.ask('GET', '/v1/campaigns')).body.data as Body[]
  expect(v1.map(({ description, milestones }) => [description, milestones])).toEqual([
    [shortened.description, newest?.milestones],
    [oldest?.description, oldest?.milestones],
  ])
})

test('keeps an amount of thirty digits exactly, both ways, as number and as text', async () => {
  const { api, token } = await createApiWithUser({ settings: { defaultCurrency: 'ETH' } })
  const digits = '123456789012.345678901234567891'
  for (const [index, written] of [digits, `"${digits}"`].entries()) {
    const account = `0x${String(index + 1).repeat(40)}`
    const raw = JSON.stringify(campaignBody({ ledger_account: account }))
      .replace('"target_amount":1000', `"target_amount":${written}`)
      .replace('"amount":250', `"amount":${written}`)
    const created = await api.ask('POST', '/api/campaigns', { token, raw })
    expect(created.status).toBe(201)
    expect(created.text).toContain(`"target_amount":${digits},`)
    const read = await api.ask('GET', created.headers.get('location') ?? '')
    expect(read.text).toContain(`"target_amount":${digits},`)
    expect(read.text).toContain(`"amount":${digits},"cumulative_amount":${digits},`)
  }
})

test('refuses what is no positive amount that the currency can hold', async () => {
  const { api, token } = await createApiWithUser()
  const ask = async (target: unknown) => {
    const answer = await api.ask('POST', '/api/campaigns', {
      token,
      body: campaignBody({ target_amount: target, milestones: [] }),
    })
    expect(answer.status).toBe(400)
    return answer.body as { code: string; details?: { path: string }[] }
  }
  for (const target of [0, -1, '0', '0.0', '-5', '', ' 1', '1,5', '0x10', 'NaN', null, true, [1]]) {
    const refused = await ask(target)
    expect(refused.code).toBe('invalid_amount')
    expect(refused.details?.[0]?.path).toBe('target_amount')
  }
  for (const source of ['1e400', '1e-400', '9'.repeat(79), '1.0000001', '1e72']) {
    expect((await ask(jsonDecimal(source))).code).toBe('invalid_amount')
  }
  expect((await ask(undefined)).code).toBe('invalid_amount')
})

test('refuses milestones above the target, and takes those that reach it', async () => {
  const { api, token } = await createApiWithUser()
  const milestones = (last: string) => [
    { description: 'one', amount: '999.999999' },
    { description: 'two', amount: last },
  ]
  const above = await api.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({ milestones: milestones('0.000002') }),
  })
  expect(above.status).toBe(400)
  expect(above.body).toMatchObject({ code: 'invalid_input', details: [{ path: 'milestones' }] })
  const equal = await api.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({ milestones: milestones('0.000001') }),
  })
  expect(equal.status).toBe(201)
})

test('lets an account serve one open campaign at a time, also when many ask at once', async () => {
  const { api, token } = await createApiWithUser()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.ask('POST', '/api/campaigns', { token, body: campaignBody() }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'account_in_use',
  })
  const [count] = await api.ctx.sql<{ campaigns: number; totals: number; milestones: number }[]>`
    select (select count(*) from campaign) as campaigns,
           (select count(*) from campaign_total) as totals,
           (select count(*) from milestone) as milestones`
  expect(count).toEqual({ campaigns: 1, totals: 1, milestones: 1 })
  const draft = await api.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({ status: 'draft' }),
  })
  expect(draft.status).toBe(201)
})

test('names a chain by CAIP-10, and refuses wrong checksums, unknown chains and currencies', async () => {
  const { api, token } = await createApiWithUser()
  const ask = (changes: Record<string, unknown>) =>
    api.ask('POST', '/api/campaigns', { token, body: campaignBody(changes) })
  const wrong = ACCOUNT.replace('C5', 'c5')
  expect((await ask({ ledger_account: wrong })).body).toMatchObject({ code: 'invalid_input' })
  expect((await ask({ ledger_account: `eip155:1:${ACCOUNT}` })).body).toMatchObject({
    code: 'unknown_chain',
  })
  expect((await ask({ currency: 'DOGE' })).body).toMatchObject({ code: 'unknown_currency' })
  expect((await ask({ ledger_account: `0x${'0'.repeat(40)}` })).status).toBe(400)
  const named = await ask({ ledger_account: `eip155:31337:${ACCOUNT}`, currency: 'ETH' })
  expect(named.body).toMatchObject({
    campaign: { chain_id: 31337, ledger_account: ACCOUNT, currency: 'ETH' },
  })
})

test('refuses to create a campaign for another user, unless an administrator does it', async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const body = campaignBody({ creator_id: creator.userId })
  const refused = await api.ask('POST', '/api/campaigns', { token: other.token, body })
  expect(refused).toMatchObject(refusal(403, 'forbidden'))
  const forUnknown = await api.ask('POST', '/api/campaigns', {
    token: admin.token,
    body: campaignBody({ creator_id: newId() }),
  })
  expect(forUnknown.status).toBe(400)
  const made = await api.ask('POST', '/api/campaigns', { token: admin.token, body })
  expect(made.body).toMatchObject({ campaign: { creator_id: creator.userId } })
})

test('refuses who is not signed in, or whose address is not verified', async () => {
  const api = await createTestApi()
  const refused = await api.ask('POST', '/api/campaigns', { body: campaignBody() })
  expect(refused).toMatchObject(refusal(401, 'unauthenticated'))
  expect(refused.headers.get('www-authenticate')).toContain('Bearer')
  const { userId, token } = await api.signIn({ verified: false })
  const unverified = await api.ask('POST', '/api/campaigns', { token, body: campaignBody() })
  expect(unverified).toMatchObject(refusal(403, 'email_unverified'))
  await api.ctx.sql`update app_user set email_verified_at = now() where id = ${userId}`
  const verified = await api.ask('POST', '/api/campaigns', { token, body: campaignBody() })
  expect(verified.status).toBe(201)
})

test('shows a draft to its creator and administrators only', async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const { headers } = await api.ask('POST', '/api/campaigns', {
    token: creator.token,
    body: campaignBody({ status: 'draft' }),
  })
  const path = headers.get('location') ?? ''
  const statusFor = async (token?: string) => (await api.ask('GET', path, { token })).status
  expect(await statusFor()).toBe(404)
  expect(await statusFor(other.token)).toBe(404)
  expect(await statusFor(creator.token)).toBe(200)
  expect(await statusFor(admin.token)).toBe(200)
  const listed = async (token?: string) => (await api.ask('GET', '/api/campaigns', { token })).body
  expect(await listed()).toMatchObject({ campaigns: [], pagination: { total: 0 } })
  expect(await listed(other.token)).toMatchObject({ campaigns: [] })
  expect(await listed(creator.token)).toMatchObject({ pagination: { total: 1 } })
})

test('keeps a campaign as a draft where the account has to sign first, and says so', async () => {
  const { api, token } = await createApiWithUser({ settings: { requireAccountProof: true } })
  const { target_amount: targetAmount, ledger_account: ledgerAccount, ...rest } = campaignBody()
  const v1 = { ...rest, targetAmount, ledgerAccount }
  for (const [status, requires] of [
    ['active', 'account_proof'],
    ['draft', null],
  ] as const) {
    const body = campaignBody({ status })
    expect(await api.ask('POST', '/api/campaigns', { token, body })).toMatchObject({
      status: 201,
      body: { campaign: { status: 'draft' }, requires },
    })
    const other = await api.ask('POST', '/v1/campaigns', { token, body: { ...v1, status } })
    expect(other).toMatchObject({ status: 201, body: { data: { status: 'draft' }, requires } })
  }
  const usual = await createTestApi()
  const { token: another } = await usual.signIn()
  const open = await usual.ask('POST', '/api/campaigns', { token: another, body: campaignBody() })
  expect(open.body).toMatchObject({ campaign: { status: 'active' }, requires: null })
})
