import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { hashApiKey, newApiKey } from '../../../src/auth/api-keys.ts'
import { createKey, resetPassword } from '../../../src/domain/account/index.ts'
import { createEndpoint } from '../../../src/domain/events/index.ts'
import { challengeWallet, notify } from '../../../src/domain/people/index.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createTestCampaign } from '../../support/world.ts'
import { happened } from '../events/support/happenings.ts'
import { codeFor, login, register, rowsOf, tokensOf, verify } from './support/account.ts'
import { campaignBody, createTestApi, type TestApi } from './support/api.ts'

const EMAIL = 'ada@example.org'
const NEW_PASSWORD = 'loud-mountain-17-birds'
const HOOK = 'http://127.0.0.1:3999/hook'
const KEYS = { newKey: newApiKey, hashKey: hashApiKey }

const signUp = async (api: TestApi, verified: boolean, roles: string[] = []) => {
  const { body } = await register(api, 'ada')
  await api.ctx.sql`update app_user set roles = ${roles}::text[]`
  if (verified) await verify(api, EMAIL, await codeFor(api, EMAIL))
  const { accessToken } = tokensOf((await login(api, 'ada')).body)
  return { userId: String(body.userId), token: accessToken }
}

const askForReset = async (api: TestApi): Promise<string> => {
  await api.ask('POST', '/api/auth/reset-password', { body: { email: EMAIL } })
  return (await codeFor(api, EMAIL)) ?? ''
}

const reset = async (api: TestApi): Promise<string> => {
  const body = { email: EMAIL, code: await askForReset(api), password: NEW_PASSWORD }
  expect((await api.ask('POST', '/api/auth/reset-password', { body })).status).toBe(200)
  return tokensOf((await login(api, 'ada', NEW_PASSWORD)).body).accessToken
}

/** Makes one of everything that an account can own, regardless of its permissions. */
const makeAll = async (api: TestApi, userId: string) => {
  const ctx = api.as({ kind: 'user', userId, roles: [] })
  await linkWallet(api, userId, Wallet.createRandom().address)
  await challengeWallet(ctx, { address: Wallet.createRandom().address })
  const { key } = await createKey(ctx, KEYS, { name: 'a key', scopes: ['read', 'webhooks:write'] })
  const { id } = await createEndpoint(ctx, { url: HOOK })
  await happened(api.ctx, userId, 1)
  await relayEvents(api.ctx, { limit: 100 })
  const values = { url: HOOK, reason: 'gone' as const }
  await notify(api.ctx, [{ userId, type: 'webhook_disabled', values, data: { webhookId: id } }])
  return { apiKey: key, webhookId: id }
}

const linkSigned = async (api: TestApi, token: string, key: { address: string } & Signer) => {
  const asked = { token, body: { address: key.address } }
  const { body } = await api.ask('POST', '/api/auth/wallets/challenge', asked)
  const { message } = body.challenge as { message: string }
  const signature = await key.signMessage(message)
  return api.ask('POST', '/api/auth/wallets', { token, body: { message, signature } })
}
type Signer = { signMessage(message: string): Promise<string> }

const statusesOf = async ({ ctx }: TestApi, endpointId: string) => {
  const rows = await ctx.sql<{ status: string }[]>`
    select distinct status from webhook_delivery where endpoint_id = ${endpointId}`
  return rows.map(({ status }) => status)
}

test('removes what an unverified account made when the owner of the address resets the password', async () => {
  const api = await createTestApi()
  const stranger = await signUp(api, false)
  const made = await makeAll(api, stranger.userId)
  const token = await reset(api)
  for (const [path, list] of [
    ['/api/auth/wallets', 'wallets'],
    ['/api/keys', 'keys'],
    ['/api/webhooks', 'webhooks'],
    ['/api/notifications', 'notifications'],
  ] as const) {
    expect((await api.ask('GET', path, { token })).body[list], list).toEqual([])
  }
  // If a new table appears here, decide whether the reset removes the account's rows from it.
  expect(await rowsOf(api, stranger.userId)).toEqual({
    api_key: 0,
    donation: 0,
    // The codes were mailed to the owner's address, so they stay.
    email_code: 2,
    // The event that concerned the account, and `user.verified`.
    event_audience: 2,
    notification: 0,
    // The ended session of the stranger stays, so that other processes learn of its end.
    session: 2,
    signature_challenge: 0,
    wallet: 0,
    // The endpoint stays as deleted, without its keys.
    webhook_endpoint: 1,
  })
  expect(await statusesOf(api, made.webhookId)).toEqual(['cancelled'])
  expect((await api.ask('GET', '/api/auth/me', { token: stranger.token })).status).toBe(401)
  expect((await api.ask('GET', '/api/auth/me', { apiKey: made.apiKey })).status).toBe(401)
  await relayEvents(api.ctx, { limit: 100 })
  expect(await statusesOf(api, made.webhookId)).toEqual(['cancelled'])
})

test('ends sessions and keys, pauses webhooks and keeps wallets when a verified account is reset', async () => {
  const api = await createTestApi()
  const { userId, token: old } = await signUp(api, true)
  const { apiKey } = await makeAll(api, userId)
  const token = await reset(api)
  expect((await api.ask('GET', '/api/auth/me', { token: old })).status).toBe(401)
  expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(401)
  const list = async (path: string) => (await api.ask('GET', path, { token })).body
  expect(await list('/api/keys')).toMatchObject({ keys: [{ revokedAt: expect.any(String) }] })
  expect(await list('/api/webhooks')).toMatchObject({ webhooks: [{ status: 'paused' }] })
  expect((await list('/api/auth/wallets')).wallets).toHaveLength(1)
})

test.each([false, true])(
  'mails what remains in an account when its password was reset (verified before: %s)',
  async (verified) => {
    const api = await createTestApi()
    const { userId } = await signUp(api, verified, verified ? ['verifier'] : [])
    await makeAll(api, userId)
    const creator = { kind: 'user', userId, roles: [] } as const
    const account = Wallet.createRandom().address
    await createTestCampaign(api.ctx, { creator, account, target: '10' })
    await api.ctx.sql`update campaign set title = ${'Wells\n\nCall us:'}`
    await reset(api)
    const { body } = await api.ask('GET', `/api/sandbox/mail?to=${EMAIL}`)
    const [mail] = body.mail as { template: string; text: string }[]
    expect(mail?.template).toBe('password_changed')
    expect(mail?.text).toContain(`\n    ${account} Wells Call us:\n`)
    const wallets = await api.ctx.sql<{ address: string }[]>`select address from wallet`
    expect(wallets).toHaveLength(verified ? 1 : 0)
    for (const { address } of wallets) expect(mail?.text.toLowerCase()).toContain(`    ${address}`)
    expect(mail?.text.includes(HOOK)).toBe(verified)
    expect(mail?.text.includes('    verifier')).toBe(verified)
  },
)

test.each([false, true])(
  'lets a session that a reset has ended create nothing, also before the process knows of the end (verified before: %s)',
  async (verified) => {
    const api = await createTestApi()
    const { userId, token } = await signUp(api, verified, verified ? ['admin'] : [])
    const { apiKey, webhookId } = await makeAll(api, userId)
    const ask = (method: string, path: string, body?: unknown) =>
      api.ask(method, path, { token, body })
    const code = await askForReset(api)
    // This process has the key in its cache, and the reset happens in another process.
    expect((await api.ask('GET', '/api/auth/me', { apiKey })).status).toBe(200)
    const passwordHash = await api.deps.credentials.passwords.hash(NEW_PASSWORD)
    const input = { email: EMAIL, code, passwordHash }
    expect(await resetPassword(api.ctx, api.deps.credentials, input)).not.toBeNull()
    expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(200)

    const before = await rowsOf(api, userId)
    const path = `/api/webhooks/${webhookId}`
    const refused = await Promise.all([
      ask('POST', '/api/keys', { name: 'mine', scopes: ['read'] }),
      ask('POST', '/api/webhooks', { url: HOOK }),
      ask('PATCH', path, { status: 'active' }),
      ask('POST', `${path}/rotate`),
      ask('POST', `/api/users/${userId}/roles`, { grant: ['verifier'] }),
      linkSigned(api, token, Wallet.createRandom()).catch(() => ({ status: 403 })),
      api.ask('POST', '/api/webhooks', { apiKey, body: { url: HOOK } }),
      // A verified session could already create campaigns before the reset.
      ...(verified ? [] : [ask('POST', '/api/campaigns', campaignBody())]),
    ])
    for (const { status } of refused) expect([401, 403]).toContain(status)
    const after = await rowsOf(api, userId)
    expect({ ...after, signature_challenge: 0 }).toEqual({ ...before, signature_challenge: 0 })
    const [endpoint] = await api.ctx.sql`
      select status from webhook_endpoint where id = ${webhookId}`
    expect(endpoint?.status).toBe(verified ? 'paused' : 'disabled')
  },
)

test('asks /v1/campaigns for an account unless a wallet was linked since the last reset', async () => {
  const api = await createTestApi()
  const { token: old } = await signUp(api, true)
  const create = async (token: string) => {
    const body = { title: 'Wells', description: 'Water.', targetAmount: 10, status: 'draft' }
    const { status, body: answer } = await api.ask('POST', '/v1/campaigns', { token, body })
    return [status, answer.code ?? (answer.data as { ledgerAccount: string }).ledgerAccount]
  }
  const [early, late] = [Wallet.createRandom(), Wallet.createRandom()]
  expect(await create(old)).toEqual([409, 'account_required'])
  expect((await linkSigned(api, old, early)).status).toBe(201)
  expect(await create(old)).toEqual([201, early.address])
  const token = await reset(api)
  expect(await create(token)).toEqual([409, 'account_required'])
  expect((await linkSigned(api, token, late)).status).toBe(201)
  expect(await create(token)).toEqual([201, late.address])
  // A signature for a wallet that was linked before the reset links it again, now as the first
  // wallet.
  expect((await linkSigned(api, token, early)).status).toBe(200)
  expect(await create(token)).toEqual([201, early.address])
})
