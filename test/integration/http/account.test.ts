import { expect, test } from 'vitest'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import { login, signUp } from './support/account.ts'
import { createTestApi, makeKey, refusal, type TestApi } from './support/api.ts'

const me = async (api: TestApi, token: string) =>
  (await api.ask('GET', '/api/auth/me', { token })).body

const change = (api: TestApi, token: string, body: unknown) =>
  api.ask('PATCH', '/api/auth/me', { token, body })

test('changes names, language and profile, and leaves alone what is not named', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const before = await me(api, token)
  const profile = { site: 'https://example.org', tags: ['water', { deep: true }] }
  const changes = { username: 'Ada.L', firstName: ' Ada ', lastName: 'L', lang: 'pt-BR', profile }
  const changed = await change(api, token, changes)
  const after = { ...before, ...changes, firstName: 'Ada' }
  expect(changed).toMatchObject({ status: 200, body: { success: true } })
  expect(changed.body.account).toEqual(after)
  expect(await me(api, token)).toEqual(after)
  expect((await change(api, token, {})).body.account).toEqual(after)
  const cleared = await change(api, token, { firstName: null, profile: {} })
  expect(cleared.body.account).toEqual({ ...after, firstName: null, profile: {} })
  expect((await login(api, 'ada')).status).toBe(401)
  expect((await login(api, 'ada.l')).status).toBe(200)
  // The next mail uses the new language.
  await api.ask('POST', '/api/auth/reset-password', { body: { email: 'ada@example.org' } })
  const { body } = await api.ask('GET', '/api/sandbox/mail?to=ada@example.org')
  expect((body.mail as { text: string }[])[0]?.text).toContain('palavra-passe')
})

test('keeps a user name for one account, in any case of its letters', async () => {
  const api = await createTestApi()
  const [ada, grace] = [(await signUp(api, 'ada')).token, (await signUp(api, 'grace')).token]
  expect(await change(api, grace, { username: 'ADA', firstName: 'Grace' })).toMatchObject(
    refusal(409, 'username_taken'),
  )
  expect(await me(api, grace)).toMatchObject({ username: 'grace', firstName: null })
  expect((await change(api, ada, { username: 'ADA' })).status).toBe(200)
  const raced = await Promise.all(
    [ada, grace].map((token) => change(api, token, { username: 'one' })),
  )
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('refuses invalid names, and changes that need a code, a password or an administrator', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const before = await me(api, token)
  const wrong = [
    { username: 'a' },
    { username: 'ada@example.org' },
    { username: null },
    { firstName: '' },
    { firstName: 'x'.repeat(101) },
    { lang: 'english language' },
    { lang: null },
    { profile: null },
    { profile: { text: 'x'.repeat(5_000) } },
    [],
  ]
  for (const body of wrong) {
    expect(await change(api, token, body)).toMatchObject(refusal(400, 'invalid_input'))
  }
  const fixed = {
    email: 'eve@example.org',
    password: 'loud-mountain-17-birds',
    roles: ['admin'],
    emailVerified: false,
    id: before.id,
    createdAt: before.createdAt,
  }
  for (const [name, value] of Object.entries(fixed)) {
    const answer = await change(api, token, { [name]: value })
    expect(answer).toMatchObject(refusal(400, 'unknown_parameter'))
  }
  expect(await me(api, token)).toEqual(before)
})

test('lets no key, no stranger and no ended session change an account', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const before = await me(api, token)
  const scopes = API_SCOPES.filter((scope) => scope !== 'admin')
  const apiKey = await makeKey(api, token, scopes)
  const body = { firstName: 'Eve' }
  expect((await api.ask('PATCH', '/api/auth/me', { body })).status).toBe(401)
  expect((await api.ask('PATCH', '/api/auth/me', { apiKey, body })).status).toBe(403)
  // Ends the session in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now()`
  expect((await change(api, token, body)).status).toBe(401)
  expect(await me(api, token)).toEqual(before)
})
