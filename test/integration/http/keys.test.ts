import { expect, test } from 'vitest'
import { newApiKey } from '../../../src/auth/api-keys.ts'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createTestCampaign } from '../../support/world.ts'
import {
  campaignBody,
  createApiWithUser,
  createClockedApi,
  createTestApi,
  donationBody,
  type TestApi,
} from './support/api.ts'

const ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const makeKey = async (api: TestApi, token: string, changes: Record<string, unknown> = {}) => {
  const body = { name: 'server', scopes: ['read'], ...changes }
  const answer = await api.ask('POST', '/api/keys', { token, body })
  expect(answer.status).toBe(201)
  return answer.body.key as { id: string; key: string; lastFour: string }
}
const status = async (answer: Promise<{ status: number }>) => (await answer).status

test('makes a key that is shown once, stored as a hash, and acts as its owner', async () => {
  const { api, userId, token } = await createApiWithUser()
  const { id, key, lastFour } = await makeKey(api, token)
  expect(key).toMatch(/^fundproof_sandbox_[0-9A-Za-z]{36}$/)
  expect(key.endsWith(lastFour)).toBe(true)
  const me = await api.ask('GET', '/api/auth/me', { apiKey: key })
  expect(me).toMatchObject({ status: 200, body: { id: userId } })
  const listed = await api.ask('GET', '/api/keys', { token })
  expect(listed.body).toMatchObject({
    keys: [{ id, name: 'server', scopes: ['read'], lastFour, revokedAt: null }],
    pagination: { total: 1 },
  })
  expect(listed.text).not.toContain(key)
  const [row] = await api.ctx.sql<{ text: string }[]>`select api_key::text as text from api_key`
  expect(row?.text).not.toContain(key.slice(20, 40))
})

test('reads a key and renames it, for its owner only, and changes nothing else of it', async () => {
  const { api, token } = await createApiWithUser()
  const { id, key, lastFour } = await makeKey(api, token)
  const path = `/api/keys/${id}`
  const read = await api.ask('GET', path, { token })
  expect(read).toMatchObject({ status: 200, body: { id, name: 'server', lastFour } })
  expect(read.text).not.toContain(key)
  const renamed = await api.ask('PATCH', path, { token, body: { name: ' backup ' } })
  expect(renamed.status).toBe(200)
  expect(renamed.body.key).toEqual({ ...read.body, name: 'backup' })
  expect((await api.ask('GET', path, { token })).body).toEqual(renamed.body.key)
  expect((await api.ask('GET', '/api/auth/me', { apiKey: key })).status).toBe(200)

  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: null }]) {
    const refused = await api.ask('PATCH', path, { token, body })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  }
  for (const body of [{ scopes: ['admin'] }, { name: 'x', expiresAt: null }]) {
    const refused = await api.ask('PATCH', path, { token, body })
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_parameter' } })
  }
  const others = [await api.signIn(), await api.signIn({ roles: ['admin'] })]
  for (const { token } of others) {
    expect(await status(api.ask('GET', path, { token }))).toBe(404)
    expect(await status(api.ask('PATCH', path, { token, body: { name: 'x' } }))).toBe(404)
  }
  expect((await api.ask('GET', path, { token })).body.name).toBe('backup')
})

test('lets a key do what its scopes say, and nothing else', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, { creator, account: ACCOUNT })
  const { token } = await api.signIn()
  const donate = (await makeKey(api, token, { scopes: ['donations:write'] })).key
  const answer = await api.ask('POST', '/api/donations', {
    apiKey: donate,
    body: donationBody(campaignId),
  })
  expect(answer.status).toBe(201)
  const forbidden = [
    api.ask('POST', '/api/campaigns', { apiKey: donate, body: campaignBody() }),
    api.ask('GET', '/api/auth/me', { apiKey: donate }),
    api.ask('GET', '/api/webhooks', { apiKey: donate }),
  ]
  for (const one of await Promise.all(forbidden)) {
    expect(one).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
})

test('lets no key manage keys, sessions, wallets or roles, with any scopes', async () => {
  const api = await createTestApi()
  const { userId, token } = await api.signIn({ roles: ['admin'] })
  const { id, key } = await makeKey(api, token, { scopes: API_SCOPES })
  const refusals = await Promise.all([
    api.ask('POST', '/api/keys', { apiKey: key, body: { name: 'more', scopes: ['read'] } }),
    api.ask('GET', '/api/keys', { apiKey: key }),
    api.ask('GET', `/api/keys/${id}`, { apiKey: key }),
    api.ask('PATCH', `/api/keys/${id}`, { apiKey: key, body: { name: 'mine' } }),
    api.ask('DELETE', `/api/keys/${id}`, { apiKey: key }),
    api.ask('POST', '/api/auth/logout', { apiKey: key }),
    api.ask('POST', '/api/auth/wallets/challenge', { apiKey: key, body: { address: ACCOUNT } }),
    api.ask('POST', `/api/users/${userId}/roles`, { apiKey: key, body: { grant: ['verifier'] } }),
  ])
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
})

test("acts as an administrator only with an administrator's key of that scope", async () => {
  const { api, clock } = await createClockedApi()
  const admin = await api.signIn({ roles: ['admin'] })
  const other = await api.signIn()
  const plain = (await makeKey(api, admin.token, { scopes: ['campaigns:write'] })).key
  const full = (await makeKey(api, admin.token, { scopes: ['campaigns:write', 'admin'] })).key
  const forOther = (apiKey: string) =>
    status(
      api.ask('POST', '/api/campaigns', {
        apiKey,
        body: campaignBody({ creator_id: other.userId }),
      }),
    )
  expect(await forOther(plain)).toBe(403)
  expect(await forOther(full)).toBe(201)
  const refused = await api.ask('POST', '/api/keys', {
    token: other.token,
    body: { name: 'x', scopes: ['admin'] },
  })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  await api.ctx.sql`update app_user set roles = '{}' where id = ${admin.userId}`
  clock.advance(3_000)
  expect(await forOther(full)).toBe(403)
})

test('refuses keys of the other environment with the reason', async () => {
  for (const [environment, theirs, word] of [
    ['sandbox', 'production', 'production'],
    ['production', 'sandbox', 'sandbox'],
  ] as const) {
    const api = await createTestApi({ settings: { environment } })
    const answer = await api.ask('GET', '/api/auth/me', { apiKey: newApiKey(theirs) })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
    expect(answer.body.error).toContain(`belongs to the ${word} environment`)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  }
})

test('takes a token with a key of the same user, and refuses keys of others beside it', async () => {
  const clock = createFakeClock()
  const { api, userId, token } = await createApiWithUser({ clock })
  const other = await api.signIn()
  const { id, key } = await makeKey(api, token)
  const foreign = (await makeKey(api, other.token)).key
  const me = (asked: object) => api.ask('GET', '/api/auth/me', asked)
  expect(await me({ token, apiKey: key })).toMatchObject({ status: 200, body: { id: userId } })
  // The session decides about the permissions, not the key.
  const body = { name: 'second', scopes: ['read'] }
  expect((await api.ask('POST', '/api/keys', { token, apiKey: key, body })).status).toBe(201)
  for (const [asked, code] of [
    [{ token, apiKey: foreign }, 'unauthenticated'],
    [{ token: other.token, apiKey: key }, 'unauthenticated'],
    [{ token, apiKey: `${key}x` }, 'invalid_api_key'],
    [{ token, apiKey: '' }, 'invalid_api_key'],
    [{ token: `${token}x`, apiKey: key }, 'invalid_token'],
    [{ headers: { authorization: 'Basic eDp5' }, apiKey: key }, 'unauthenticated'],
  ] as const) {
    expect(await me(asked)).toMatchObject({ status: 401, body: { code } })
  }
  expect((await api.ask('DELETE', `/api/keys/${id}`, { token })).status).toBe(204)
  clock.advance(3_000)
  expect(await me({ token, apiKey: key })).toMatchObject({
    status: 401,
    body: { code: 'invalid_api_key' },
  })
})

test('refuses garbage and unknown keys', async () => {
  const { api, token } = await createApiWithUser()
  const { key } = await makeKey(api, token)
  for (const apiKey of ['', 'x', `${key}x`, newApiKey('sandbox'), 'a'.repeat(5_000)]) {
    const answer = await api.ask('GET', '/api/auth/me', { apiKey })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
  }
  const bearer = await api.ask('GET', '/api/auth/me', { token: key })
  expect(bearer).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
})

test('refuses a revoked key and an expired one at once', async () => {
  const clock = createFakeClock()
  const { api, token } = await createApiWithUser({ clock })
  const { id, key } = await makeKey(api, token)
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const short = (await makeKey(api, token, { expiresAt })).key
  const me = (apiKey: string) => status(api.ask('GET', '/api/auth/me', { apiKey }))
  expect([await me(key), await me(short)]).toEqual([200, 200])
  expect(await status(api.ask('DELETE', `/api/keys/${id}`, { token }))).toBe(204)
  expect(await status(api.ask('DELETE', `/api/keys/${id}`, { token }))).toBe(204)
  expect(await me(key)).toBe(401)
  clock.advance(60_000)
  expect(await me(short)).toBe(401)
})

test('notes the use of a key at most once a minute', async () => {
  const clock = createFakeClock()
  const { api, token } = await createApiWithUser({ clock })
  const { key } = await makeKey(api, token)
  const lastUsed = async () => {
    const { body } = await api.ask('GET', '/api/keys', { token })
    return (body.keys as { lastUsedAt: string | null }[])[0]?.lastUsedAt
  }
  expect(await lastUsed()).toBeNull()
  await api.ask('GET', '/api/auth/me', { apiKey: key })
  const first = await lastUsed()
  expect(first).toBe(clock.now().toISOString())
  clock.advance(30_000)
  await api.ask('GET', '/api/auth/me', { apiKey: key })
  expect(await lastUsed()).toBe(first)
  clock.advance(31_000)
  await api.ask('GET', '/api/auth/me', { apiKey: key })
  expect(await lastUsed()).toBe(clock.now().toISOString())
})

test("refuses bad keys to be made, too many of them, and other people's", async () => {
  const { api, token } = await createApiWithUser()
  const unverified = await api.signIn({ verified: false })
  const good = { name: 'server', scopes: ['read'] }
  const bad = [
    {},
    { name: 'x' },
    { ...good, scopes: [] },
    { ...good, scopes: ['everything'] },
    { ...good, name: '' },
    { ...good, name: 'x'.repeat(101) },
    { ...good, expiresAt: 'tomorrow' },
    { ...good, expiresAt: '2020-01-01T00:00:00Z' },
    { ...good, expiresAt: '9999-12-31T23:59:59-23:59' },
  ]
  for (const body of bad) {
    const answer = await api.ask('POST', '/api/keys', { token, body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  }
  expect(await status(api.ask('POST', '/api/keys', { body: good }))).toBe(401)
  const early = await api.ask('POST', '/api/keys', { token: unverified.token, body: good })
  expect(early).toMatchObject({ status: 403, body: { code: 'email_unverified' } })

  const { id } = await makeKey(api, token)
  const other = await api.signIn()
  expect(await status(api.ask('DELETE', `/api/keys/${id}`, { token: other.token }))).toBe(404)
  expect((await api.ask('GET', '/api/keys', { token: other.token })).body.keys).toEqual([])
  const made = await Promise.all(
    Array.from({ length: 30 }, () => api.ask('POST', '/api/keys', { token, body: good })),
  )
  expect(made.filter((one) => one.status === 201)).toHaveLength(24)
  expect(made.find((one) => one.status !== 201)).toMatchObject({ body: { code: 'conflict' } })
})
