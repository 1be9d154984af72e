import { expect, test } from 'vitest'
import { changePassword, confirmCaller } from '../../../src/domain/account/index.ts'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import { login, mailsTo, PASSWORD, signUp, tokensOf } from './support/account.ts'
import { createTestApi, makeKey, refusal, type TestApi } from './support/api.ts'

const NEW_PASSWORD = 'loud-mountain-17-birds'

const change = (api: TestApi, token: string, body: unknown, key?: string) =>
  api.ask('POST', '/api/auth/password', { token, body, key })

const statusOfMe = async (api: TestApi, asked: { token: string } | { apiKey: string }) =>
  (await api.ask('GET', '/api/auth/me', asked)).status

test('changes a password with the current one, ends the other sessions and mails a notice', async () => {
  const api = await createTestApi()
  const { email, token, refreshToken } = await signUp(api, 'ada')
  const other = tokensOf((await login(api, 'ada')).body)
  const apiKey = await makeKey(api, token, ['read'])
  const changed = await change(api, token, { password: PASSWORD, newPassword: NEW_PASSWORD })
  expect(changed).toMatchObject({ status: 200, body: { success: true } })
  expect(await statusOfMe(api, { token: other.accessToken })).toBe(401)
  const refreshed = await api.ask('POST', '/api/auth/refresh', {
    body: { refreshToken: other.refreshToken },
  })
  expect(refreshed.status).toBe(401)
  expect((await login(api, 'ada')).status).toBe(401)
  expect((await login(api, 'ada', NEW_PASSWORD)).status).toBe(200)
  // The session that changed the password stays open.
  expect(await statusOfMe(api, { token })).toBe(200)
  expect(await statusOfMe(api, { apiKey })).toBe(200)
  expect((await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })).status).toBe(200)
  expect((await mailsTo(api, email))[0]).toBe('password_changed')
})

test('changes no password without the current one, for a key, or to one that is easy to guess', async () => {
  const api = await createTestApi()
  const { email, token } = await signUp(api, 'ada')
  const good = { password: PASSWORD, newPassword: NEW_PASSWORD }
  const scopes = API_SCOPES.filter((scope) => scope !== 'admin')
  const apiKey = await makeKey(api, token, scopes)
  const byKey = await api.ask('POST', '/api/auth/password', { apiKey, body: good })
  expect(byKey).toMatchObject(refusal(403, 'forbidden'))
  expect((await api.ask('POST', '/api/auth/password', { body: good })).status).toBe(401)
  const wrong = await change(api, token, { ...good, password: 'not her password' })
  expect(wrong).toMatchObject(refusal(401, 'invalid_credentials'))
  for (const newPassword of ['short', 'password123', 'abcdefghijkl', '']) {
    const easy = await change(api, token, { ...good, newPassword })
    expect(easy).toMatchObject(refusal(400, 'invalid_input', 'newPassword'))
  }
  for (const body of [{}, { password: PASSWORD }, { newPassword: NEW_PASSWORD }]) {
    expect((await change(api, token, body)).status).toBe(400)
  }
  expect((await login(api, 'ada')).status).toBe(200)
  expect(await mailsTo(api, email)).toEqual(['verify_email'])
})

test('changes a password once, however often and at once it is asked to', async () => {
  const api = await createTestApi()
  const { email, token } = await signUp(api, 'ada')
  const body = { password: PASSWORD, newPassword: NEW_PASSWORD }
  const raced = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      change(api, token, { ...body, newPassword: `${NEW_PASSWORD}-${index}` }),
    ),
  )
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
  const index = raced.findIndex(({ status }) => status === 200)
  const current = `${NEW_PASSWORD}-${index}`
  const again = { password: current, newPassword: PASSWORD }
  const first = await change(api, token, again, 'a-key')
  const second = await change(api, token, again, 'a-key')
  expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  expect((await login(api, 'ada')).status).toBe(200)
  expect(await mailsTo(api, email)).toHaveLength(3)
})

test('lets a session that has ended change no password, also before the process knows of the end', async () => {
  const api = await createTestApi()
  const { token } = await signUp(api, 'ada')
  // Ends the session in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now()`
  const refused = await change(api, token, { password: PASSWORD, newPassword: NEW_PASSWORD })
  expect(refused).toMatchObject(refusal(401, 'invalid_token'))
  expect((await login(api, 'ada')).status).toBe(200)
})

test('refuses a current password that was changed while it was being checked', async () => {
  const api = await createTestApi()
  const { userId, token } = await signUp(api, 'ada')
  const { credentials } = api.deps
  const ctx = api.as({ kind: 'user', userId, roles: [] })
  const checked = await confirmCaller(ctx, credentials, PASSWORD)
  await change(api, token, { password: PASSWORD, newPassword: NEW_PASSWORD })
  const hash = await credentials.passwords.hash('a-third-one-98-leaves')
  await expect(changePassword(ctx, checked, hash)).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await login(api, 'ada', NEW_PASSWORD)).status).toBe(200)
})
