import { expect, test } from 'vitest'
import { createFakeClock } from '../../support/fake-clock.ts'
import { codeFor, login, register, tokensOf, verify } from './support/account.ts'
import { createTestApi } from './support/api.ts'

const DAY = 24 * 3_600_000

test('changes a refresh token for the next one, and revokes the family when one is used twice', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const first = tokensOf((await login(api, 'ada')).body)
  const other = tokensOf((await login(api, 'ada')).body)
  const refresh = (refreshToken: string) =>
    api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
  const second = await refresh(first.refreshToken)
  expect(second).toMatchObject({ status: 200, body: { success: true, tokens: { expires: 900 } } })
  const third = await refresh(tokensOf(second.body).refreshToken)
  expect(third.status).toBe(200)

  const stolen = await refresh(first.refreshToken)
  expect(stolen).toMatchObject({ status: 401, body: { code: 'refresh_reused' } })
  const ended = await refresh(tokensOf(third.body).refreshToken)
  expect(ended).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  expect((await refresh(other.refreshToken)).status).toBe(200)
  expect((await refresh('unknown')).status).toBe(401)
})

test('gives one answer and no second family to a refresh that races with itself', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const { refreshToken } = tokensOf((await login(api, 'ada')).body)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      api.ask('POST', '/api/auth/refresh', { body: { refreshToken } }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const [row] = await api.ctx.sql<{ open: number }[]>`
    select count(*) as open from session where revoked_at is null`
  expect(row?.open).toBe(0)
})

test('repeats a refresh whose answer was lost, with an Idempotency-Key', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const { refreshToken } = tokensOf((await login(api, 'ada')).body)
  const asked = { key: 'lost', body: { refreshToken } }
  const first = await api.ask('POST', '/api/auth/refresh', asked)
  const again = await api.ask('POST', '/api/auth/refresh', asked)
  expect([again.status, again.text]).toEqual([200, first.text])
  const stolen = await api.ask('POST', '/api/auth/refresh', { ...asked, key: 'thief' })
  expect(stolen).toMatchObject({ status: 401, body: { code: 'refresh_reused' } })
  const next = tokensOf(first.body).refreshToken
  const ended = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken: next } })
  expect(ended.status).toBe(401)
})

test('ends a session by logout, and any after thirty days', async () => {
  const clock = createFakeClock()
  const api = await createTestApi({ clock })
  await register(api, 'ada')
  const [one, two] = [
    tokensOf((await login(api, 'ada')).body),
    tokensOf((await login(api, 'ada')).body),
  ]
  const refresh = async (refreshToken: string) =>
    (await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })).status
  const out = await api.ask('POST', '/api/auth/logout', { token: one.accessToken })
  expect(out).toMatchObject({ status: 200, body: { success: true } })
  expect(await refresh(one.refreshToken)).toBe(401)
  clock.advance(31 * DAY)
  expect(await refresh(two.refreshToken)).toBe(401)
})

test('puts a verification into the next token, without a new sign-in', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const { refreshToken } = tokensOf((await login(api, 'ada')).body)
  await verify(api, 'ada@example.org', await codeFor(api, 'ada@example.org'))
  const { body } = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
  const payload = tokensOf(body).accessToken.split('.')[1] ?? ''
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    verified: true,
  })
})
