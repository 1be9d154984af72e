import { expect, test } from 'vitest'
import { createApp } from '../../../src/api/app.ts'
import { PASSWORD } from './support/account.ts'
import { requestOf } from './support/api.ts'
import { type LimitedAsked as Asked, createLimitedApi, withAccount } from './support/limited-api.ts'

const limitOf = (response: Response) => {
  const [, remaining, seconds] =
    /^"default";r=(\d+);t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '') ?? []
  return { remaining: Number(remaining), seconds: Number(seconds) }
}

test('tells the limit with every answer, refusals included', async () => {
  const api = await createLimitedApi({ limits: { anonymous: 50 } })
  const { token } = await api.signIn()
  const asked: [string, string, Asked?][] = [
    ['GET', '/api/campaigns'],
    ['GET', '/nothing'],
    ['PUT', '/api/campaigns'],
    ['GET', '/api/auth/me'],
    ['GET', '/api/auth/me', { headers: { authorization: 'Bearer wrong' } }],
    ['GET', '/api/campaigns?limit=wrong'],
    ['POST', '/api/auth/register', { raw: '{' }],
    ['GET', '/openapi.json'],
  ]
  let left = 50
  for (const [method, path, request] of asked) {
    const response = await api.ask(method, path, request)
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=50;w=60')
    expect(limitOf(response)).toEqual({ remaining: --left, seconds: expect.any(Number) })
  }
  const signedIn = await api.ask('GET', '/api/auth/me', { token })
  expect(signedIn.headers.get('ratelimit-policy')).toBe('"default";q=8;w=60')
  expect(limitOf(signedIn).remaining).toBe(7)
})

test('refuses with 429, an envelope and when to come back, until the window is over', async () => {
  const api = await createLimitedApi()
  expect(await api.statuses(5, 'GET', '/api/campaigns')).toEqual([200, 200, 200, 200, 200])
  const refused = await api.ask('GET', '/api/campaigns')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ success: false, code: 'rate_limited' })
  const { remaining, seconds } = limitOf(refused)
  expect(remaining).toBe(0)
  expect(seconds).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(seconds)
  expect((await api.ask('GET', '/nothing')).status).toBe(429)
  api.clock.advance(seconds * 1_000)
  expect((await api.ask('GET', '/api/campaigns')).status).toBe(200)
})

test('counts signed-in callers by user and everybody else by address', async () => {
  const api = await createLimitedApi()
  const [one, two] = [await api.signIn(), await api.signIn()]
  expect(await api.statuses(6, 'GET', '/api/campaigns')).toContain(429)
  const allowed = Array.from({ length: 8 }, () => 200)
  expect(await api.statuses(9, 'GET', '/api/auth/me', { token: one.token })).toEqual([
    ...allowed,
    429,
  ])
  const elsewhere = { token: one.token, from: '192.0.2.9' }
  expect((await api.ask('GET', '/api/auth/me', elsewhere)).status).toBe(429)
  expect((await api.ask('GET', '/api/auth/me', { token: two.token })).status).toBe(200)
  expect((await api.ask('GET', '/api/campaigns', { from: '192.0.2.9' })).status).toBe(200)
})

test('counts a wrong token for the address that sent it', async () => {
  const api = await createLimitedApi()
  const wrong = { headers: { authorization: 'Bearer wrong' } }
  expect(await api.statuses(6, 'GET', '/api/auth/me', wrong)).toEqual([
    401, 401, 401, 401, 401, 429,
  ])
})

test('answers probes and preflights also when all is used up', async () => {
  const api = await createLimitedApi()
  await api.statuses(6, 'GET', '/api/campaigns')
  const health = await api.ask('GET', '/healthz')
  expect([health.status, limitOf(health).remaining]).toEqual([200, 0])
  expect((await api.ask('GET', '/readyz')).status).toBe(200)
  const preflight = await api.ask('OPTIONS', '/api/donations', {
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
})

test('believes no X-Forwarded-For unless a proxy is trusted', async () => {
  const api = await createLimitedApi()
  const spoofed = (address: string): Asked => ({ headers: { 'x-forwarded-for': address } })
  for (let i = 0; i < 5; i++) await api.ask('GET', '/api/campaigns', spoofed(`198.51.100.${i}`))
  expect((await api.ask('GET', '/api/campaigns', spoofed('198.51.100.77'))).status).toBe(429)
})

test('behind a trusted proxy, counts the address that the proxy saw', async () => {
  const api = await createLimitedApi({ trustedProxies: 1 })
  const through = (forwarded: string): Asked => ({ headers: { 'x-forwarded-for': forwarded } })
  const spoofed = (i: number) => through(`203.0.113.${i}, 198.51.100.7`)
  for (let i = 0; i < 5; i++) await api.ask('GET', '/api/campaigns', spoofed(i))
  expect((await api.ask('GET', '/api/campaigns', spoofed(99))).status).toBe(429)
  expect((await api.ask('GET', '/api/campaigns', through('198.51.100.8'))).status).toBe(200)
  // An invalid address counts for the proxy itself.
  expect(await api.statuses(6, 'GET', '/api/campaigns', through('nonsense'))).toContain(429)
  expect((await api.ask('GET', '/api/campaigns', through('more nonsense'))).status).toBe(429)
})

test('understands addresses with a port in X-Forwarded-For', async () => {
  const api = await createLimitedApi({ trustedProxies: 1 })
  const from = (forwarded: string): Asked => ({ headers: { 'x-forwarded-for': forwarded } })
  for (const [addresses, other] of [
    [['203.0.113.5:1', '203.0.113.5', '203.0.113.5:65535'], '203.0.113.6:1'],
    [['[2001:db8:1:2::1]:443', '2001:db8:1:2::1', '[2001:db8:1:2::2]'], '[2001:db8:1:3::1]:443'],
  ] as const) {
    for (let i = 0; i < 5; i++) await api.ask('GET', '/nothing', from(addresses[i % 3] ?? ''))
    expect((await api.ask('GET', '/nothing', from(addresses[0]))).status).toBe(429)
    expect((await api.ask('GET', '/nothing', from(other))).status).toBe(404)
  }
  // If the text is no address without its port either, the request counts for the proxy itself.
  const wrong = ['[203.0.113.5', '203.0.113.5:', '203.0.113.5:x', '[]:1', ':443', 'a:443']
  for (const text of wrong) await api.ask('GET', '/nothing', from(text))
  expect((await api.ask('GET', '/nothing', from('nonsense'))).status).toBe(429)
})

test('counts a /64 of IPv6 as one client, and an IPv4-mapped IPv6 address as its IPv4 address', async () => {
  const api = await createLimitedApi()
  const same = ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::9', '2001:db8:1:2:3:4:5:6']
  for (let i = 0; i < 5; i++) await api.ask('GET', '/api/campaigns', { from: same[i % 3] ?? '' })
  const statusFrom = async (from: string) => (await api.ask('GET', '/nothing', { from })).status
  expect(await statusFrom('2001:db8:1:2:aaaa::')).toBe(429)
  expect(await statusFrom('2001:db8:1:3::1')).toBe(404)
  await api.statuses(5, 'GET', '/nothing', { from: '::ffff:203.0.113.5' })
  expect(await statusFrom('203.0.113.5')).toBe(429)
})

test('a stranger who guesses at a password locks out their own network, not the owner', async () => {
  const api = await withAccount()
  expect(await api.statusesOf(6, 'ada', '192.0.2.1', 'wrong')).toEqual([
    401, 401, 401, 401, 429, 429,
  ])
  // Refused attempts do not count for the account.
  expect(new Set(await api.statusesOf(60, 'ada', '192.0.2.1', 'wrong'))).toEqual(new Set([429]))
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(429)
  expect((await api.attempt('ada', '198.51.100.1')).status).toBe(200)
  expect((await api.attempt('grace', '192.0.2.1')).status).toBe(401)
  api.clock.advance(15 * 60_000)
  expect((await api.attempt('ada', '192.0.2.1')).status).toBe(200)
})

test('takes a /48 of IPv6 for one network of a stranger', async () => {
  const api = await withAccount()
  const found: number[] = []
  for (let i = 0; i < 5; i++) {
    found.push((await api.attempt('ada', `2001:db8:1:${i}::1`, 'wrong')).status)
  }
  expect(found).toEqual([401, 401, 401, 401, 429])
  expect((await api.attempt('ada', '2001:db8:2::1')).status).toBe(200)
})

test('counts failures only, also when many sign in at once', async () => {
  const api = await withAccount()
  expect(new Set(await api.statusesOf(12, 'ada', '192.0.2.1'))).toEqual(new Set([200]))
  const guesses = await Promise.all(
    Array.from({ length: 12 }, () => api.attempt('ada', '192.0.2.1', 'wrong')),
  )
  expect(guesses.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 4 }, () => 401),
    ...Array.from({ length: 8 }, () => 429),
  ])
})

test('limits failures by account over all networks, alike for known and unknown accounts', async () => {
  const api = await withAccount({ limits: { anonymous: 0, login: 2 } })
  const answerOf = async (username: string, network: string) => {
    const answers: unknown[] = []
    for (let i = 0; i < 21; i++) {
      const answer = await api.attempt(username, `${network}.${i}`, 'wrong')
      const { requestId: _, error, ...body } = (await answer.json()) as Record<string, unknown>
      const limits = ['ratelimit', 'ratelimit-policy'].map((name) =>
        answer.headers.get(name)?.replaceAll(/t=\d+/g, 't'),
      )
      answers.push([answer.status, String(error).replace(/\d+/, 'n'), body, limits])
    }
    return answers
  }
  const known = await answerOf('ada@example.org', '192.0.2')
  expect(known.map((answer) => (answer as unknown[])[0])).toEqual([
    ...Array.from({ length: 20 }, () => 401),
    429,
  ])
  expect(await answerOf('unknown@example.org', '198.51.100')).toEqual(known)
  const refused = await api.attempt(' ADA@example.org', '203.0.113.1')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  api.clock.advance(15 * 60_000)
  expect((await api.attempt('ada@example.org', '203.0.113.1')).status).toBe(200)
})

test('strangers in many networks lock no owner out of a network where they signed in before', async () => {
  const api = await withAccount({ limits: { anonymous: 0, login: 2 } })
  expect((await api.attempt('ada', '2001:db8:1:1::1')).status).toBe(200)
  for (let i = 0; i < 21; i++) await api.attempt('ada', `203.0.113.${i}`, 'wrong')
  expect((await api.attempt('ada', '198.51.100.1')).status).toBe(429)
  expect((await api.attempt('ada', '2001:db8:1:2::1')).status).toBe(200)
  // The network from which the owner signed in before has a limit too.
  expect(await api.statusesOf(3, 'ada', '2001:db8:1:3::1', 'wrong')).toEqual([401, 401, 429])
  api.clock.advance(24 * 60 * 60_000 * 59)
  for (let i = 0; i < 21; i++) await api.attempt('ada', `203.0.113.${i}`, 'wrong')
  expect((await api.attempt('ada', '2001:db8:1:2::1')).status).toBe(200)
  api.clock.advance(24 * 60 * 60_000 * 91)
  for (let i = 0; i < 21; i++) await api.attempt('ada', `203.0.113.${i}`, 'wrong')
  expect((await api.attempt('ada', '2001:db8:1:2::1')).status).toBe(429)
})

test('limits failures from one address to any accounts', async () => {
  const api = await withAccount({ limits: { anonymous: 0, login: 2 } })
  const found: number[] = []
  for (let i = 0; i < 21; i++) found.push(...(await api.statusesOf(1, `user${i}`, '192.0.2.1')))
  expect(found).toEqual([...Array.from({ length: 20 }, () => 401), 429])
})

test('counts the failures of two processes together', async () => {
  const api = await withAccount()
  const other = createApp({ ...api.deps, rateLimits: api.rateLimitsOfAnother() })
  const body = { username: 'ada', password: 'wrong' }
  const incoming = { socket: { remoteAddress: '192.0.2.1' } }
  const found: number[] = []
  for (let i = 0; i < 3; i++) {
    found.push((await api.attempt('ada', '192.0.2.1', 'wrong')).status)
    const asked = requestOf('POST', { body })
    found.push((await other.request('/api/auth/login', asked, { incoming })).status)
  }
  expect(found).toEqual([401, 401, 401, 401, 429, 429])
})

test('a stranger who guesses at a code leaves its owner tries', async () => {
  const api = await withAccount()
  const email = 'ada@example.org'
  const ask = (body: unknown, from: string) =>
    api.ask('POST', '/api/auth/reset-password', { body, from })
  await ask({ email }, '192.0.2.1')
  const code = await api.mailedCode(email)
  const wrong = { email, code: code === '000000' ? '000001' : '000000', password: `${PASSWORD}-2` }
  const found: number[] = []
  for (let i = 0; i < 7; i++) found.push((await ask(wrong, '192.0.2.1')).status)
  expect(found).toEqual([400, 400, 400, 400, 400, 429, 429])
  expect((await ask({ ...wrong, code }, '198.51.100.1')).status).toBe(200)
})

test.each([
  ['password', { newPassword: `${PASSWORD}-2` }],
  ['email', { email: 'countess@example.net' }],
  ['delete-account', {}],
])('counts wrong passwords of %s with failed sign-ins', async (operation, body) => {
  const api = await withAccount({ limits: { anonymous: 0, user: 0 } })
  const email = 'ada@example.org'
  await api.ctx.sql`update app_user set email_verified_at = now()`
  const { tokens } = (await (await api.attempt('ada', '198.51.100.1')).json()) as {
    tokens: { accessToken: string }
  }
  const guess = async (password: string, from = '192.0.2.1') => {
    const asked = { token: tokens.accessToken, body: { ...body, password }, from }
    return (await api.ask('POST', `/api/auth/${operation}`, asked)).status
  }
  expect(await api.statusesOf(2, email, '192.0.2.1', 'wrong')).toEqual([401, 401])
  const guesses = [await guess('wrong 1'), await guess('wrong 2'), await guess(PASSWORD)]
  expect(guesses).toEqual([401, 401, 429])
  expect((await api.attempt(email, '192.0.2.1')).status).toBe(429)
  expect(await guess(PASSWORD, '198.51.100.1')).toBe(200)
})

test('takes the largest quota that can be configured', async () => {
  const api = await withAccount({ limits: { anonymous: 0, login: 2_147_483_647 } })
  expect(await api.statusesOf(2, 'ada', '192.0.2.1')).toEqual([200, 200])
})

test('a quota of 0 lifts a limit', async () => {
  const api = await createLimitedApi({ limits: { anonymous: 0, login: 0 } })
  const answers = await api.statuses(20, 'GET', '/api/campaigns')
  expect(new Set(answers)).toEqual(new Set([200]))
  expect((await api.ask('GET', '/healthz')).headers.get('ratelimit')).toBeNull()
})

test('counts pages apart from requests, three times as many', async () => {
  const api = await createLimitedApi()
  expect(await api.statuses(6, 'GET', '/docs')).not.toContain(429)
  expect(await api.statuses(5, 'GET', '/api/campaigns')).toEqual([200, 200, 200, 200, 200])
  expect(await api.statuses(10, 'GET', '/docs/errors')).toEqual([...Array(9).fill(200), 429])
  const refused = await api.ask('GET', '/docs')
  expect(refused.headers.get('ratelimit-policy')).toBe('"page";q=15;w=60')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.ask('GET', '/docs', { from: '192.0.2.2' })).status).toBe(200)
})
