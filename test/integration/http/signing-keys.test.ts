import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { loadSigningKeys, rotateSigningKey } from '../../../src/domain/account/index.ts'
import { createSecretBox } from '../../../src/kernel/ports/secrets.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createWorld } from '../../support/world.ts'
import { createApiWithUser, createClockedApi, refusal } from './support/api.ts'

const HOUR = 3_600_000

test('makes one first key, however many processes start at once', async () => {
  const { ctx } = await createWorld()
  const loaded = await Promise.all(Array.from({ length: 8 }, () => loadSigningKeys(ctx)))
  expect(new Set(loaded.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1)
  expect(loaded[0]).toHaveLength(1)
})

test('publishes the keys that check its tokens', async () => {
  const { api, userId, token } = await createApiWithUser()
  const { body, headers, text } = await api.ask('GET', '/.well-known/jwks.json')
  expect(headers.get('cache-control')).toContain('max-age')
  expect(text).not.toContain('"d"')
  const keys = createLocalJWKSet(body as unknown as JSONWebKeySet)
  const { payload } = await jwtVerify(token, keys, { audience: 'sandbox', typ: 'at+jwt' })
  expect(payload).toMatchObject({ sub: userId, iss: api.ctx.settings.publicUrl })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
})

test('goes on to accept what a retired key has signed, until no such token can be left', async () => {
  const { api, clock } = await createClockedApi()
  const before = await api.signIn()
  const [old] = await loadSigningKeys(api.ctx)
  const rotated = await rotateSigningKey(api.ctx)
  expect(rotated.map(({ active }) => active)).toEqual([true, false])
  clock.advance(6 * 60_000)
  const after = await api.signIn()
  for (const { token } of [before, after]) {
    expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(200)
  }
  expect(after.token.split('.')[0]).not.toBe(before.token.split('.')[0])
  clock.advance(2 * HOUR)
  expect((await loadSigningKeys(api.ctx)).map(({ kid }) => kid)).not.toContain(old?.kid)
})

test('accepts at once what another process has signed with a key that is new', async () => {
  const { api, clock } = await createClockedApi()
  await api.signIn()
  clock.advance(10_000)
  await rotateSigningKey(api.ctx)
  const [fresh] = await loadSigningKeys(api.ctx)
  const { createAccessTokens } = await import('../../../src/auth/access-tokens.ts')
  const other = createAccessTokens({
    issuer: api.ctx.settings.publicUrl,
    audience: 'sandbox',
    clock,
    loadKeys: () => loadSigningKeys(api.ctx),
  })
  const { userId } = await api.signIn()
  const claims = { userId, sessionId: userId, roles: [], verified: true }
  const token = await other.issue(claims)
  expect(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).toContain(fresh?.kid)
  expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(200)
})

test('changes its key every ninety days by itself', async () => {
  const clock = createFakeClock()
  const { ctx } = await createWorld({ clock })
  const [first] = await loadSigningKeys(ctx)
  clock.advance(89 * 24 * HOUR)
  expect((await loadSigningKeys(ctx))[0]?.kid).toBe(first?.kid)
  clock.advance(2 * 24 * HOUR)
  expect((await loadSigningKeys(ctx))[0]?.kid).not.toBe(first?.kid)
})

test('refuses to start with a SECRET that did not seal its keys', async () => {
  const { ctx } = await createWorld()
  await loadSigningKeys(ctx)
  const secrets = createSecretBox('yet another secret, which is long enough too')
  await expect(loadSigningKeys({ ...ctx, secrets })).rejects.toThrow(/Wrong setting: SECRET/)
})

test('accepts a token in one spelling only: without padding, with unused bits at zero', async () => {
  const { api, token } = await createApiWithUser()
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last letter of a signature has four unused bits.
  const next = letters[letters.indexOf(token.at(-1) ?? '') + 1] ?? ''
  const me = (spelled: string) =>
    api.ask('GET', '/api/auth/me', { headers: { authorization: `Bearer ${spelled}` } })
  for (const spelled of [`${token}=`, `${token}==`, `${token.slice(0, -1)}${next}`]) {
    expect(await me(spelled)).toMatchObject(refusal(401, 'invalid_token'))
  }
  expect((await me(token)).status).toBe(200)
})
