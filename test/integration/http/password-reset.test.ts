import { expect, test } from 'vitest'
import { authenticateUser, openSession, requestCode } from '../../../src/domain/account/index.ts'
import { codeFor, login, PASSWORD, register, tokensOf } from './support/account.ts'
import {
  createApiWithUser,
  createClockedApi,
  createTestApi,
  refusal,
  type TestApi,
} from './support/api.ts'

const NEW_PASSWORD = 'loud-mountain-17-birds'
const email = 'ada@example.org'

const reset = (api: TestApi, body: Record<string, unknown>) =>
  api.ask('POST', '/api/auth/reset-password', { body })
const wrong = (code: string | undefined) => (code === '000000' ? '000001' : '000000')

test('changes a forgotten password by a mailed code, once, and ends every session', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  clock.advance(1_000)
  const sessions = [await login(api, 'ada'), await login(api, 'ada')].map(({ body }) =>
    tokensOf(body),
  )
  expect((await reset(api, { email })).status).toBe(200)
  const code = await codeFor(api, email)
  const answer = await reset(api, { email, code, password: NEW_PASSWORD })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  for (const { accessToken, refreshToken } of sessions) {
    expect((await api.ask('GET', '/api/auth/me', { token: accessToken })).status).toBe(401)
    const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
    expect(refreshed.status).toBe(401)
  }
  expect((await login(api, 'ada', PASSWORD)).status).toBe(401)
  const fresh = tokensOf((await login(api, 'ada', NEW_PASSWORD)).body)
  const me = await api.ask('GET', '/api/auth/me', { token: fresh.accessToken })
  // The reset also verifies the mail address, because its owner has read the code.
  expect(me).toMatchObject({ status: 200, body: { emailVerified: true } })
  expect(await reset(api, { email, code, password: PASSWORD })).toMatchObject(
    refusal(400, 'invalid_code'),
  )
})

test('gives one answer for known and unknown addresses, asked for a code or given one', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const said = async (body: Record<string, unknown>) => {
    const answers = await Promise.all(
      [email, 'unknown@example.org'].map((to) => reset(api, { email: to, ...body })),
    )
    return new Set(
      answers.map(({ status, body: { requestId: _, ...rest } }) => JSON.stringify([status, rest])),
    )
  }
  expect((await said({})).size).toBe(1)
  expect((await said({ code: '000000', password: NEW_PASSWORD })).size).toBe(1)
  expect((await said({ code: '000000', password: 'short' })).size).toBe(1)
  const [row] = await api.ctx.sql<{ count: number }[]>`
    select count(*) from mail where to_address = 'unknown@example.org'`
  expect(row?.count).toBe(0)
})

test('refuses a code after ten guesses, after ten minutes, and one for another purpose', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  const verification = await codeFor(api, email)
  const use = async (code: string | undefined) =>
    (await reset(api, { email, code, password: NEW_PASSWORD })).status
  expect(await use(verification)).toBe(400)
  clock.advance(1_000)
  await reset(api, { email })
  const first = await codeFor(api, email)
  await Promise.all(Array.from({ length: 10 }, () => use(wrong(first))))
  expect(await use(first)).toBe(400)
  clock.advance(61_000)
  await reset(api, { email })
  const second = await codeFor(api, email)
  expect(second).not.toBe(undefined)
  clock.advance(10 * 60_000 + 1)
  expect(await use(second)).toBe(400)
  expect((await login(api, 'ada')).status).toBe(200)
})

test('refuses easy passwords, and half of the input', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const bad = [
    { email, code: '123456' },
    { email, password: NEW_PASSWORD },
    { email, code: '12345', password: NEW_PASSWORD },
    { email, code: '123456', password: 'password123' },
    { email: 'ada', code: '123456', password: NEW_PASSWORD },
    {},
  ]
  for (const body of bad) {
    expect(await reset(api, body)).toMatchObject(refusal(400, 'invalid_input'))
  }
})

test('keeps a code at hand for its owner, however often strangers ask for one', async () => {
  const { api, clock } = await createClockedApi()
  await register(api, 'ada')
  const codes = new Set<string>()
  let mails = 0
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    clock.advance(5 * 60_000)
    await requestCode(api.ctx, api.deps.credentials, 'reset_password', email)
    const [row] = await api.ctx.sql<{ mails: number; good: number }[]>`
      select count(*) as mails,
             count(*) filter (where used_at is null and expires_at > ${clock.now()}) as good
      from email_code where purpose = 'reset_password'`
    expect(row?.good).toBeGreaterThan(0)
    mails = row?.mails ?? 0
    codes.add((await codeFor(api, email)) ?? '')
  }
  expect(mails).toBeLessThanOrEqual(10 + 24)
  expect(codes.size).toBeLessThanOrEqual(mails)
  const code = await codeFor(api, email)
  expect((await reset(api, { email, code, password: NEW_PASSWORD })).status).toBe(200)
})

test('refuses a password that was changed while it was being checked', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const { credentials } = api.deps
  const checked = await authenticateUser(api.ctx, credentials, {
    username: 'ada',
    password: PASSWORD,
  })
  await reset(api, { email })
  await reset(api, { email, code: await codeFor(api, email), password: NEW_PASSWORD })
  await expect(openSession(api.ctx, credentials, checked, { kind: 'api' })).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
})

test('ends an API key at once, also one that was used a moment before', async () => {
  const { api, userId, token } = await createApiWithUser()
  await api.ctx.sql`update app_user set email = ${email} where id = ${userId}`
  const body = { name: 'server', scopes: ['read'] }
  const { key } = (await api.ask('POST', '/api/keys', { token, body })).body.key as { key: string }
  const me = () => api.ask('GET', '/api/auth/me', { apiKey: key })
  expect((await me()).status).toBe(200)
  await reset(api, { email })
  const code = await codeFor(api, email)
  expect((await reset(api, { email, code, password: NEW_PASSWORD })).status).toBe(200)
  expect(await me()).toMatchObject(refusal(401, 'invalid_api_key'))
})
