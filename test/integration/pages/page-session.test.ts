import { expect, test } from 'vitest'
import { authenticateUser, openSession, SESSION_TTL_MS } from '../../../src/domain/account/index.ts'
import { createSessionCookie, findPageCaller } from '../../../src/pages/session/session-cookie.ts'
import {
  codeFor,
  login,
  PASSWORD,
  register,
  signUp,
  tokensOf,
  verify,
} from '../http/support/account.ts'
import { createClockedApi, createTestApi, refusal, type TestApi } from '../http/support/api.ts'

const openPage = async (api: TestApi, username: string, userAgent = 'Browser/1.0') => {
  const { ctx, deps } = api
  const checked = await authenticateUser(ctx, deps.credentials, { username, password: PASSWORD })
  return openSession(ctx, deps.credentials, checked, { kind: 'page', userAgent })
}

const callerOf = ({ ctx, deps }: TestApi, token: string) => {
  const cookie = createSessionCookie(ctx.settings.publicUrl)
  return findPageCaller(ctx, deps.credentials, cookie, `theme=dark; ${cookie.set(token)}`)
}

test('finds the caller of a cookie, with the facts that the account has now', async () => {
  const api = await createTestApi()
  const { body } = await register(api, 'ada', { lang: 'fr' })
  const { token, sessionId } = await openPage(api, 'ada')
  const caller = { userId: body.userId, sessionId, roles: [], lang: 'fr', key: null }
  expect(await callerOf(api, token)).toEqual({ ...caller, verified: false })
  await verify(api, 'ada@example.org', await codeFor(api, 'ada@example.org'))
  expect(await callerOf(api, token)).toEqual({ ...caller, verified: true })
  expect(
    await callerOf(
      api,
      token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    ),
  ).toBe(null)
})

test('gives each sign-in a new token, and stores only its hash', async () => {
  const api = await createTestApi()
  await signUp(api, 'ada')
  const one = await openPage(api, 'ada')
  const two = await openPage(api, 'ada')
  expect(one.token).not.toBe(two.token)
  const [row] = await api.ctx.sql<{ stored: string; hashes: number }[]>`
    select string_agg(session::text, '') as stored, count(cookie_hash) as hashes from session`
  expect(row?.hashes).toBe(2)
  for (const { token } of [one, two]) expect(row?.stored).not.toContain(token)
})

test('keeps the tokens of pages and of the API apart', async () => {
  const api = await createTestApi()
  const { refreshToken } = await signUp(api, 'ada')
  const { token } = await openPage(api, 'ada')
  expect(await callerOf(api, refreshToken)).toBeNull()
  const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken: token } })
  expect(refreshed).toMatchObject(refusal(401, 'invalid_token'))
  expect(await callerOf(api, token)).not.toBeNull()
})

test('the API ignores the cookie', async () => {
  const api = await createTestApi()
  await signUp(api, 'ada')
  const { token } = await openPage(api, 'ada')
  const headers = { cookie: `session=${token}; __Host-session=${token}` }
  for (const path of ['/api/auth/me', '/api/auth/sessions']) {
    expect(await api.ask('GET', path, { headers })).toMatchObject(refusal(401, 'unauthenticated'))
  }
})

test('lists the sessions of pages with the others, and ends them from there', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  const [one, two] = [await openPage(api, 'ada', 'One/1.0'), await openPage(api, 'ada', 'Two/1.0')]
  expect((await api.ask('GET', '/api/auth/sessions', { token })).body.sessions).toMatchObject([
    { id: two.sessionId, userAgent: 'Two/1.0', current: false },
    { id: one.sessionId, userAgent: 'One/1.0', current: false },
    { current: true },
  ])
  const ended = await api.ask('DELETE', `/api/auth/sessions/${one.sessionId}`, { token })
  expect(ended.status).toBe(204)
  expect(await callerOf(api, one.token)).toBeNull()
  expect(await callerOf(api, two.token)).not.toBeNull()
  await api.ask('DELETE', '/api/auth/sessions', { token })
  expect(await callerOf(api, two.token)).toBeNull()
})

test('ends with a changed password, a password reset and the account', async () => {
  const api = await createTestApi()
  const { email, token } = await signUp(api, 'ada')
  const first = await openPage(api, 'ada')
  const newPassword = 'quiet-river-43-stones'
  const changed = { body: { password: PASSWORD, newPassword }, token }
  expect((await api.ask('POST', '/api/auth/password', changed)).status).toBe(200)
  expect(await callerOf(api, first.token)).toBeNull()

  await api.ask('POST', '/api/auth/password', {
    body: { password: newPassword, newPassword: PASSWORD },
    token,
  })
  const second = await openPage(api, 'ada')
  await api.ask('POST', '/api/auth/reset-password', { body: { email } })
  const code = await codeFor(api, email)
  const reset = { body: { email, code, password: PASSWORD } }
  expect((await api.ask('POST', '/api/auth/reset-password', reset)).status).toBe(200)
  expect(await callerOf(api, second.token)).toBeNull()

  const third = await openPage(api, 'ada')
  const again = tokensOf((await login(api, 'ada')).body).accessToken
  const deleted = await api.ask('POST', '/api/auth/delete-account', {
    body: { password: PASSWORD },
    token: again,
  })
  expect(deleted.status).toBe(200)
  expect(await callerOf(api, third.token)).toBeNull()
})

test('has a granted role at once, and ends with a revoked role', async () => {
  const api = await createTestApi()
  const { userId } = await signUp(api, 'ada')
  const admin = await api.signIn({ roles: ['admin'] })
  const { token } = await openPage(api, 'ada')
  const change = (body: object) =>
    api.ask('POST', `/api/users/${userId}/roles`, { body, token: admin.token })
  await change({ grant: ['verifier'] })
  expect(await callerOf(api, token)).toMatchObject({ roles: ['verifier'] })
  await change({ revoke: ['verifier'] })
  expect(await callerOf(api, token)).toBeNull()
})

test('ends after thirty days, however much it was used', async () => {
  const { api, clock } = await createClockedApi()
  await signUp(api, 'ada')
  const { token } = await openPage(api, 'ada')
  clock.advance(SESSION_TTL_MS - 1)
  expect(await callerOf(api, token)).not.toBeNull()
  clock.advance(1)
  expect(await callerOf(api, token)).toBeNull()
})
