import { expect, test } from 'vitest'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import {
  codeFor,
  login,
  PASSWORD,
  register,
  type Tokens,
  tokensOf,
  verify,
} from './support/account.ts'
import { createClockedApi, createTestApi, refusal, type TestApi } from './support/api.ts'

const DAY = 24 * 3_600_000

type Session = { id: string; createdAt: string; userAgent: string | null; current: boolean }

const signInFrom = async (api: TestApi, name: string, userAgent?: string) => {
  const body = { username: name, password: PASSWORD }
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent }
  return tokensOf((await api.ask('POST', '/api/auth/login', { body, headers })).body)
}

const sessionsOf = async (api: TestApi, token: string) => {
  const { status, body } = await api.ask('GET', '/api/auth/sessions', { token })
  expect(status).toBe(200)
  return body.sessions as Session[]
}

const isOpen = async (api: TestApi, { accessToken, refreshToken }: Tokens) => {
  const me = await api.ask('GET', '/api/auth/me', { token: accessToken })
  const refreshed = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken } })
  expect(refreshed.status).toBe(me.status)
  return me.status === 200
}

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

  expect(await refresh(first.refreshToken)).toMatchObject(refusal(401, 'refresh_reused'))
  const ended = await refresh(tokensOf(third.body).refreshToken)
  expect(ended).toMatchObject(refusal(401, 'invalid_token'))
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
  expect(stolen).toMatchObject(refusal(401, 'refresh_reused'))
  const next = tokensOf(first.body).refreshToken
  const ended = await api.ask('POST', '/api/auth/refresh', { body: { refreshToken: next } })
  expect(ended.status).toBe(401)
})

test('ends a session by logout, and any after thirty days', async () => {
  const { api, clock } = await createClockedApi()
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

test('lists the open sessions of the caller, newest first, with the program and the last use of each', async () => {
  const { api, clock } = await createClockedApi()
  for (const name of ['ada', 'grace']) await register(api, name)
  await signInFrom(api, 'grace', 'Other/1.0')
  const first = await signInFrom(api, 'ada', 'Browser/1.0')
  const signedInAt = clock.now().toISOString()
  clock.advance(60_000)
  const second = await signInFrom(api, 'ada', 'x'.repeat(1_000))
  const ended = await signInFrom(api, 'ada')
  await api.ask('POST', '/api/auth/logout', { token: ended.accessToken })
  clock.advance(60_000)
  await api.ask('POST', '/api/auth/refresh', { body: { refreshToken: first.refreshToken } })

  const at = (seconds: number) => new Date(Date.parse(signedInAt) + seconds * 1_000).toISOString()
  const found = await sessionsOf(api, second.accessToken)
  expect(found).toEqual([
    expect.objectContaining({ createdAt: at(60), lastUsedAt: at(60), current: true }),
    {
      id: expect.any(String),
      createdAt: signedInAt,
      lastUsedAt: at(120),
      expiresAt: at((30 * DAY) / 1_000),
      userAgent: 'Browser/1.0',
      current: false,
    },
  ])
  expect(found[0]?.userAgent).toBe('x'.repeat(200))
  clock.advance(30 * DAY - 90_000)
  const token = (await signInFrom(api, 'ada')).accessToken
  expect((await sessionsOf(api, token)).map(({ createdAt }) => createdAt)).toEqual([
    clock.now().toISOString(),
    at(60),
  ])
})

test('ends one session, or all others, at once', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const [one, two, three, own] = [
    await signInFrom(api, 'ada', 'one'),
    await signInFrom(api, 'ada', 'two'),
    await signInFrom(api, 'ada', 'three'),
    await signInFrom(api, 'ada', 'own'),
  ]
  const token = own.accessToken
  const id = (await sessionsOf(api, token)).find(({ userAgent }) => userAgent === 'one')?.id
  for (let time = 0; time < 2; time++) {
    expect((await api.ask('DELETE', `/api/auth/sessions/${id}`, { token })).status).toBe(204)
  }
  expect(await isOpen(api, one)).toBe(false)
  expect((await api.ask('DELETE', '/api/auth/sessions', { token })).status).toBe(204)
  expect([await isOpen(api, two), await isOpen(api, three)]).toEqual([false, false])
  expect(await sessionsOf(api, token)).toMatchObject([{ userAgent: 'own', current: true }])
  expect(await isOpen(api, own)).toBe(true)
})

test('shows and ends no session of other people, for an administrator or a key either', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const ada = await signInFrom(api, 'ada')
  const [session] = await sessionsOf(api, ada.accessToken)
  const path = `/api/auth/sessions/${session?.id}`
  const stranger = await api.signIn()
  const admin = await api.signIn({ roles: ['admin'] })
  for (const { token } of [stranger, admin]) {
    expect(await sessionsOf(api, token)).toMatchObject([{ current: true, userAgent: null }])
    expect((await api.ask('DELETE', path, { token })).status).toBe(404)
    expect((await api.ask('DELETE', '/api/auth/sessions', { token })).status).toBe(204)
  }
  const body = { name: 'all', scopes: API_SCOPES.filter((scope) => scope !== 'admin') }
  const made = await api.ask('POST', '/api/keys', { token: stranger.token, body })
  const { key: apiKey } = made.body.key as { key: string }
  for (const [method, address] of [
    ['GET', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions'],
    ['DELETE', path],
  ] as const) {
    expect((await api.ask(method, address)).status).toBe(401)
    expect((await api.ask(method, address, { apiKey })).status).toBe(403)
  }
  expect(await isOpen(api, ada)).toBe(true)
})

test('lets a session that has ended end no other session, also before the process knows of the end', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const [stolen, own] = [await signInFrom(api, 'ada', 'thief'), await signInFrom(api, 'ada', 'own')]
  const found = await sessionsOf(api, own.accessToken)
  const idOf = (name: string) => found.find(({ userAgent }) => userAgent === name)?.id
  // Ends the session in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now() where id = ${idOf('thief') ?? ''}`
  for (const path of ['/api/auth/sessions', `/api/auth/sessions/${idOf('own')}`]) {
    const refused = await api.ask('DELETE', path, { token: stolen.accessToken })
    expect(refused).toMatchObject(refusal(401, 'invalid_token'))
  }
  expect(await isOpen(api, own)).toBe(true)
})
