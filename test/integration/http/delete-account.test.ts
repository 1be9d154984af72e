import { expect, test } from 'vitest'
import { confirmCaller, deleteAccount } from '../../../src/domain/account/index.ts'
import { notify } from '../../../src/domain/people/index.ts'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import { address } from '../../support/chain-facts.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { recordDonation } from '../../support/donate.ts'
import { IMAGES } from '../../support/images.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { happened } from '../events/support/happenings.ts'
import { codeFor, login, PASSWORD, register, rowsOf, signUp, tokensOf } from './support/account.ts'
import {
  campaignBody,
  createTestApi,
  donationBody,
  makeKey,
  refusal,
  type TestApi,
} from './support/api.ts'

const MARK = 'lovelace'
const EMAIL = `${MARK}@example.org`

const remove = (api: TestApi, token: string, password = PASSWORD) =>
  api.ask('POST', '/api/auth/delete-account', { token, body: { password } })

const statusOfMe = async (api: TestApi, token: string) =>
  (await api.ask('GET', '/api/auth/me', { token })).status

/** Lists the tables that have a row which contains the text. */
const tablesWith = async ({ ctx }: TestApi, text: string): Promise<string[]> => {
  const tables = await ctx.pool<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await ctx.pool.unsafe(
      `select from "${name}" item where item::text ilike '%${text}%' limit 1`,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

const putCover = async (api: TestApi, token: string, id: string) => {
  const sent = { token, raw: IMAGES.PNG, headers: { 'content-type': 'image/png' } }
  expect((await api.ask('PUT', `/api/campaigns/${id}/cover`, sent)).status).toBe(200)
}

/** Creates everything that an account can have, with the mark in each field that users fill in. */
const makeAll = async (api: TestApi, { userId, token }: { userId: string; token: string }) => {
  const post = async (path: string, body: unknown, key?: string) => {
    const answer = await api.ask('POST', path, { token, body, key })
    expect([path, answer.status]).toEqual([path, 201])
    return answer.body as Record<string, { _id: string; id: string; key: string }>
  }
  const patch = { firstName: MARK, lastName: MARK, profile: { site: MARK } }
  expect((await api.ask('PATCH', '/api/auth/me', { token, body: patch })).status).toBe(200)
  const hook = { url: `http://127.0.0.1:3999/${MARK}`, description: MARK }
  const { webhook } = await post('/api/webhooks', hook, 'webhook')
  const { key } = await post('/api/keys', { name: MARK, scopes: ['read', 'campaigns:write'] })
  await post('/api/auth/wallets/challenge', { address: address(MARK) })
  await linkWallet(api, userId, address('linked'))
  const draft = { title: MARK, status: 'draft', ledger_account: address('draft') }
  const { campaign } = await post('/api/campaigns', campaignBody(draft))
  await putCover(api, token, campaign?._id ?? '')
  const update = { campaignId: campaign?._id, type: 'news', title: MARK, content: MARK }
  await post('/api/updates', update)
  await happened(api.ctx, userId, 1)
  await relayEvents(api.ctx, { limit: 100 })
  const values = { url: hook.url, reason: 'gone' as const }
  await notify(api.ctx, [
    { userId, type: 'webhook_disabled', values, data: { webhookId: webhook?.id ?? '' } },
  ])
  const body = { username: MARK, password: PASSWORD }
  await api.ask('POST', '/api/auth/login', { body, headers: { 'user-agent': MARK } })
  await api.ask('POST', '/api/auth/reset-password', { body: { email: EMAIL } })
  return { apiKey: key?.key ?? '', draftId: campaign?._id ?? '' }
}

test('deletes an account with everything personal, and keeps what donors and the ledger need', async () => {
  const api = await createTestApi()
  const user = await signUp(api, MARK)
  const { apiKey, draftId } = await makeAll(api, user)
  const me = { kind: 'user', userId: user.userId, roles: [] } as const
  const creator = { ...me, userId: (await api.signIn()).userId }
  const open = await createTestCampaign(api.ctx, { creator, account: address('1'), target: '9' })
  const own = await createTestCampaign(api.ctx, { creator: me, account: address('2'), target: '9' })
  const { donation } = await recordDonation(api.as(me), {
    ...donationBody(open, { donor: { name: MARK, message: MARK } }),
    amount: { value: '1', currency: 'USDC' },
  })
  await putCover(api, user.token, own)
  const done = await api.ask('PATCH', `/api/campaigns/${own}`, {
    token: user.token,
    body: { status: 'completed', creator_name: MARK },
  })
  expect(done.status).toBe(200)
  expect((await tablesWith(api, MARK)).length).toBeGreaterThan(6)

  expect(await remove(api, user.token)).toMatchObject({ status: 200, body: { success: true } })
  expect(await tablesWith(api, MARK)).toEqual([])
  expect(await api.ctx.sql`select from campaign_cover`).toHaveLength(0)
  expect(await tablesWith(api, address('linked'))).toEqual([])
  expect(await tablesWith(api, `user:${user.userId}`)).toEqual([])
  // If a new table appears here, decide whether a deletion removes the account's rows from it.
  expect(await rowsOf(api, user.userId)).toEqual({
    api_key: 0,
    donation: 1,
    email_code: 0,
    // These rows contain only ids.
    event_audience: 5,
    notification: 0,
    // The ended sessions stay, so that other processes learn of their end.
    session: 2,
    signature_challenge: 0,
    wallet: 0,
    // The deleted endpoint stays, without its URL and its keys.
    webhook_endpoint: 1,
  })
  expect((await api.ask('GET', `/api/campaigns/${draftId}`)).status).toBe(404)
  const campaign = await api.ask('GET', `/api/campaigns/${own}`)
  expect(campaign.body).toMatchObject({ creator_id: user.userId, status: 'completed' })
  const given = await api.ask('GET', `/api/donations/${donation.id}`)
  expect(given).toMatchObject({ status: 200, body: { status: 'pending' } })
  for (const asked of [{ token: user.token }, { apiKey }]) {
    expect((await api.ask('GET', '/api/auth/me', asked)).status).toBe(401)
  }
})

test('deletes nothing without the password, for a key, an unverified account or an ended session', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, MARK)
  const path = '/api/auth/delete-account'
  expect(await remove(api, token, 'not her password')).toMatchObject(
    refusal(401, 'invalid_credentials'),
  )
  for (const body of [{}, { password: '' }, { password: null }, []]) {
    expect((await api.ask('POST', path, { token, body })).status).toBe(400)
  }
  const body = { password: PASSWORD }
  const scopes = API_SCOPES.filter((scope) => scope !== 'admin')
  const apiKey = await makeKey(api, token, scopes)
  expect((await api.ask('POST', path, { apiKey, body })).body.code).toBe('forbidden')
  expect((await api.ask('POST', path, { body })).status).toBe(401)
  await register(api, 'early')
  const early = tokensOf((await login(api, 'early')).body).accessToken
  expect((await remove(api, early)).body.code).toBe('email_unverified')
  expect(await statusOfMe(api, token)).toBe(200)
  // Ends the session in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now()`
  expect(await remove(api, token)).toMatchObject(refusal(401, 'invalid_token'))
  expect((await login(api, MARK)).status).toBe(200)
})

test('deletes no account while one of its campaigns is active or funded, and then keeps all of it', async () => {
  const api = await createTestApi()
  const user = await signUp(api, MARK)
  const creator = { kind: 'user', userId: user.userId, roles: [] } as const
  await makeAll(api, user)
  const id = await createTestCampaign(api.ctx, { creator, account: address('1'), target: '9' })
  const before = await rowsOf(api, user.userId)
  for (const status of ['active', 'funded']) {
    await api.ctx.sql`update campaign set status = ${status} where id = ${id}`
    expect(await remove(api, user.token)).toMatchObject(refusal(409, 'campaigns_open'))
  }
  expect(await rowsOf(api, user.userId)).toEqual(before)
  const { body } = await api.ask('GET', '/api/campaigns?status=draft', { token: user.token })
  expect(body.campaigns).toMatchObject([{ title: MARK }])
  await api.ask('PATCH', `/api/campaigns/${id}`, {
    token: user.token,
    body: { status: 'completed' },
  })
  expect((await remove(api, user.token)).status).toBe(200)
})

test('deletes no last administrator, also where the last two delete themselves at once', async () => {
  const api = await createTestApi()
  const ada = await signUp(api, 'ada')
  await api.ctx.sql`update app_user set roles = '{admin}'`
  expect(await remove(api, ada.token)).toMatchObject(refusal(409, 'conflict'))
  const removeDirectly = async (user: { id: string; passwordHash: string }) => {
    const ctx = api.as({ kind: 'user', userId: user.id, roles: ['admin'] })
    return deleteAccount(ctx, user)
  }
  for (let round = 0; round < 8; round++) {
    await createUser(api.ctx, ['admin'])
    const admins = await api.ctx.sql<{ id: string; passwordHash: string }[]>`
      select id, password_hash from app_user where 'admin' = any(roles)`
    const removed = await Promise.allSettled(admins.map(removeDirectly))
    expect(removed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('lets a token of a deleted account do nothing, also before the process knows of the deletion', async () => {
  const api = await createTestApi()
  const { userId, token } = await signUp(api, MARK)
  const { apiKey } = await makeAll(api, { userId, token })
  // This process has the key in its cache, and another process deletes the account.
  expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(200)
  const ctx = api.as({ kind: 'user', userId, roles: [] })
  await deleteAccount(ctx, await confirmCaller(ctx, api.deps.credentials, PASSWORD))
  const before = await rowsOf(api, userId)
  const active = campaignBody({ ledger_account: address('late') })
  const creator = await createUser(api.ctx)
  const open = await createTestCampaign(api.ctx, { creator, account: address('1'), target: '9' })
  const donor = { name: MARK, message: MARK, walletAddress: address('donor') }
  const intent = { campaignId: open, amount: { value: '1', currency: 'USDC' }, donor }
  const asks: [method: string, path: string, body?: unknown][] = [
    ['PATCH', '/api/auth/me', { firstName: MARK }],
    ['POST', '/api/auth/password', { password: PASSWORD, newPassword: `${PASSWORD}-2` }],
    ['POST', '/api/auth/email', { email: EMAIL, password: PASSWORD }],
    ['POST', '/api/auth/email', { email: EMAIL, code: '123456' }],
    ['POST', '/api/auth/delete-account', { password: PASSWORD }],
    ['POST', '/api/keys', { name: 'x', scopes: ['read'] }],
    ['POST', '/api/webhooks', { url: 'http://127.0.0.1:3999/hook' }],
    ['POST', '/api/campaigns', active],
    ['POST', '/api/donations', donationBody(open, { donor })],
    ['POST', '/v1/donations', intent],
    ['DELETE', '/api/auth/sessions'],
  ]
  for (const [method, path, body] of asks) {
    const answer = await api.ask(method, path, { token, body })
    expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'invalid_token'])
  }
  expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(404)
  expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(404)
  const byKey = await api.ask('POST', '/api/campaigns', { apiKey, body: active })
  expect(byKey).toMatchObject(refusal(401, 'invalid_api_key'))
  expect(await rowsOf(api, userId)).toEqual(before)
  expect(await tablesWith(api, MARK)).toEqual([])
})

test('frees the address and the user name, and gives an account that registers with them nothing', async () => {
  const api = await createTestApi()
  const old = await signUp(api, MARK)
  const { apiKey } = await makeAll(api, old)
  await api.ctx.sql`update app_user set roles = '{verifier}' where id = ${old.userId}`
  const creator = { kind: 'user', userId: old.userId, roles: [] } as const
  const owned = await createTestCampaign(api.ctx, { creator, account: address('1'), target: '9' })
  await api.ctx.sql`update campaign set status = 'completed' where id = ${owned}`
  const code = await codeFor(api, EMAIL)
  expect((await remove(api, old.token)).status).toBe(200)

  // A sign-in to a deleted account gets the same answer as a sign-in to an account that never
  // existed.
  const said = async (username: string) => {
    const { status, body } = await login(api, username)
    return JSON.stringify([status, { ...body, requestId: '' }])
  }
  const unknown = await said('unknown')
  for (const name of [MARK, EMAIL, `deleted-${old.userId}`]) expect(await said(name)).toBe(unknown)
  const reset = { email: EMAIL, code, password: `${PASSWORD}-2` }
  const refused = await api.ask('POST', '/api/auth/reset-password', { body: reset })
  expect(refused.body.code).toBe('invalid_code')

  const fresh = await signUp(api, MARK)
  expect(fresh.userId).not.toBe(old.userId)
  const get = async (path: string) => (await api.ask('GET', path, { token: fresh.token })).body
  expect(await get('/api/auth/me')).toMatchObject({ roles: [], firstName: null, profile: {} })
  for (const [path, list] of [
    ['/api/keys', 'keys'],
    ['/api/webhooks', 'webhooks'],
    ['/api/notifications', 'notifications'],
    ['/api/auth/wallets', 'wallets'],
    [`/api/donations?userId=${fresh.userId}`, 'donations'],
  ] as const) {
    expect([path, (await get(path))[list]]).toEqual([path, []])
  }
  const taken = await api.ask('PATCH', `/api/campaigns/${owned}`, {
    token: fresh.token,
    body: { title: 'Mine' },
  })
  expect(taken.status).toBe(403)
  expect((await api.ask('POST', '/api/auth/reset-password', { body: reset })).status).toBe(400)
  const { refreshToken } = old
  expect((await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })).status).toBe(401)
  expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(401)
  expect(await statusOfMe(api, old.token)).toBe(401)
  const admin = await api.signIn({ roles: ['admin'] })
  const revived = await api.ask('POST', `/api/users/${old.userId}/roles`, {
    token: admin.token,
    body: { grant: ['verifier'] },
  })
  expect(revived.status).toBe(404)
  const forOld = campaignBody({ creator_id: old.userId, ledger_account: address('3') })
  const made = await api.ask('POST', '/api/campaigns', { token: admin.token, body: forOld })
  expect(made).toMatchObject(refusal(400, 'invalid_input'))
})

test('leaves no open campaign, key or session behind when they are made at the same moment', async () => {
  const api = await createTestApi()
  for (const name of ['ada', 'grace', 'mary', 'joan']) {
    const { userId, token } = await signUp(api, name)
    const body = campaignBody({ status: 'draft', ledger_account: address(name) })
    const { campaign } = (await api.ask('POST', '/api/campaigns', { token, body })).body
    const { _id: id } = campaign as { _id: string }
    const [first, second] = await Promise.all([
      remove(api, token),
      remove(api, token),
      api.ask('PATCH', `/api/campaigns/${id}`, { token, body: { status: 'active' } }),
      api.ask('POST', '/api/keys', { token, body: { name: 'x', scopes: ['read'] } }),
      api.ask('POST', '/api/campaigns', {
        token,
        body: campaignBody({ ledger_account: address(`${name} 2`) }),
      }),
      login(api, name),
    ])
    const deleted = [first, second].filter(({ status }) => status === 200)
    expect(deleted.length).toBeLessThanOrEqual(1)
    const [left] = await api.ctx.sql<{ open: number; keys: number; sessions: number }[]>`
      select (select count(*)::int from campaign
              where creator_id = ${userId} and status in ('active', 'funded')) as open,
             (select count(*)::int from api_key where user_id = ${userId}) as keys,
             (select count(*)::int from session
              where user_id = ${userId} and revoked_at is null) as sessions`
    if (deleted.length === 1) expect(left).toEqual({ open: 0, keys: 0, sessions: 0 })
    else expect(left?.open).toBeGreaterThan(0)
  }
})
