import { createHash } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer } from '../../../src/api/server.ts'
import { createCredentials } from '../../../src/auth/credentials.ts'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../src/domain/service/index.ts'
import { createSecretBox } from '../../../src/kernel/ports/secrets.ts'
import { countRows, createCast } from '../../property/fuzz/world.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { codeFor, login, PASSWORD, register, tokensOf, verify } from './support/account.ts'
import { createApiWithUser, createTestApi, refusal, type TestApi } from './support/api.ts'

/** These tests check refusals. Other files test the accepted calls. */
type Said = { status: number; body: Record<string, unknown> }
const codeOf = ({ status, body }: Said) => [status, body.code]

const me = async (api: TestApi, authorization: string) =>
  codeOf(await api.ask('GET', '/api/auth/me', { headers: { authorization } }))

const wrong = (code: string | undefined) => (code === '000000' ? '000001' : '000000')
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

test('refuses tokens that it did not sign, with their algorithm or without one', async () => {
  const { api, userId, token } = await createApiWithUser()
  expect(await me(api, `Bearer ${token}`)).toEqual([200, undefined])
  const [header = '', payload = '', signature = ''] = token.split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, string>
  const admin = encode({
    ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
    roles: ['admin'],
  })
  const { body } = await api.ask('GET', '/.well-known/jwks.json')
  const [jwk] = body.keys as { x: string; kid: string }[]
  const confused = await new SignJWT({ sid: userId, roles: ['admin'] })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: jwk?.kid ?? '' })
    .setSubject(userId)
    .setIssuer(api.ctx.settings.publicUrl)
    .setAudience('sandbox')
    .setJti('x')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(Buffer.from(jwk?.x ?? '', 'base64url'))
  const forged = [
    `${encode({ ...head, alg: 'none' })}.${payload}.`,
    `${encode({ ...head, alg: 'none' })}.${payload}.${signature}`,
    `${encode({ ...head, typ: 'JWT' })}.${payload}.${signature}`,
    `${encode({ ...head, kid: 'unknown' })}.${payload}.${signature}`,
    `${encode({ ...head, jwk })}.${payload}.${signature}`,
    `${header}.${admin}.${signature}`,
    confused,
    'x',
    'a.b.c',
    `${token}${'.x'.repeat(3_000)}`,
  ]
  for (const each of forged) expect(await me(api, `Bearer ${each}`)).toEqual([401, 'invalid_token'])
  for (const other of ['', 'Bearer', 'Basic YTpi', token]) {
    expect(await me(api, other)).toEqual([401, 'unauthenticated'])
  }
  expect((await api.ask('GET', '/api/campaigns', { token: 'a.b.c' })).status).toBe(401)
})

test('refuses an expired token, also one that it has seen, and one of another environment', async () => {
  const clock = createFakeClock()
  const { api, token } = await createApiWithUser({ clock })
  expect((await me(api, `Bearer ${token}`))[0]).toBe(200)
  clock.advance(899_000)
  expect((await me(api, `Bearer ${token}`))[0]).toBe(200)
  clock.advance(1_000)
  expect(await me(api, `Bearer ${token}`)).toEqual([401, 'invalid_token'])
  expect(await me(api, `Bearer ${token}`)).toEqual([401, 'invalid_token'])

  const production = await createTestApi({ settings: { environment: 'production' } })
  const foreign = await production.signIn()
  const answer = await api.ask('GET', '/api/auth/me', { token: foreign.token })
  expect(codeOf(answer)).toEqual([401, 'invalid_token'])
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

test('refuses the access token of a session that has ended, here at once and elsewhere within seconds', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const [one, two] = [
    tokensOf((await login(api, 'ada')).body),
    tokensOf((await login(api, 'ada')).body),
  ]
  const me = (token: string) => api.ask('GET', '/api/auth/me', { token })
  expect((await me(one.accessToken)).status).toBe(200)
  await api.ask('POST', '/api/auth/logout', { token: one.accessToken })
  expect(await me(one.accessToken)).toMatchObject(refusal(401, 'invalid_token'))
  expect((await me(two.accessToken)).status).toBe(200)
  // Ends the sessions in the database, as another process would.
  await api.ctx.sql`update session set revoked_at = now() where revoked_at is null`
  await api.deps.revokedSessions.refresh()
  expect((await me(two.accessToken)).status).toBe(401)
})

test('refuses a refresh token that was used before, and ends its session with it', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  const { refreshToken } = tokensOf((await login(api, 'ada')).body)
  const refresh = (token: string) =>
    api.ask('POST', '/api/auth/refresh', { body: { refreshToken: token } })
  const next = tokensOf((await refresh(refreshToken)).body)
  expect(codeOf(await refresh(refreshToken))).toEqual([401, 'refresh_reused'])
  expect(codeOf(await refresh(next.refreshToken))).toEqual([401, 'invalid_token'])
})

test("refuses all calls about another user's things, and changes nothing of them", async () => {
  const api = await createTestApi()
  const { ids, tokens } = await createCast(api)
  const before = await countRows(api)
  const metrics = { category: 'water', metrics: [{ name: 'Wells', current: 1, unit: 'wells' }] }
  const update = { type: 'news', title: 'Water', content: 'It runs.' }
  const refusals: [method: string, path: string, body: unknown, status: number][] = [
    ['GET', '/api/webhooks/@foreignWebhook', undefined, 404],
    ['PATCH', '/api/webhooks/@foreignWebhook', { status: 'paused' }, 404],
    ['POST', '/api/webhooks/@foreignWebhook/rotate', undefined, 404],
    ['DELETE', '/api/webhooks/@foreignWebhook', undefined, 404],
    ['PATCH', '/api/campaigns/@foreignCampaign', { title: 'Mine' }, 403],
    ['GET', '/api/donations?userId=@foreignUser', undefined, 403],
    ['POST', '/api/updates', { campaignId: '@foreignCampaign', ...update }, 403],
    ['POST', '/api/impactmetrics', { campaignId: '@foreignCampaign', ...metrics }, 403],
    ['PUT', '/api/notifications/@unknown', { status: 'read' }, 404],
    ['GET', '/api/keys/@foreignKey', undefined, 404],
    ['PATCH', '/api/keys/@foreignKey', { name: 'mine' }, 404],
    ['DELETE', '/api/keys/@foreignKey', undefined, 404],
    ['DELETE', '/api/auth/sessions/@foreignUser', undefined, 404],
    ['DELETE', '/api/campaigns/@foreignCampaign', undefined, 403],
    ['PATCH', '/api/updates/@foreignUpdate', { title: 'Mine' }, 403],
    ['DELETE', '/api/updates/@foreignUpdate', undefined, 403],
    ['GET', '/v1/donations?userId=@foreignUser', undefined, 403],
    ['PATCH', '/v1/donations/@foreignIntent', { txHash: `0x${'d'.repeat(64)}` }, 403],
    ['DELETE', '/v1/donations/@foreignIntent', undefined, 403],
    ['POST', '/api/webhooks/@foreignWebhook/test', {}, 404],
    ['POST', '/api/webhooks/@foreignWebhook/replay', { since: '2026-01-01T00:00:00Z' }, 404],
    ['GET', '/api/webhooks/@foreignWebhook/deliveries', undefined, 404],
    ['DELETE', '/api/auth/wallets/@unknown', undefined, 404],
    ['POST', '/api/sandbox/event', { event: 'user.verified', endpointId: '@foreignWebhook' }, 404],
    ['POST', '/api/users/@foreignUser/roles', { grant: ['admin'] }, 403],
  ]
  const fill = (text: string) => text.replaceAll(/@\w+/g, (name) => ids[name] ?? name)
  for (const [method, path, body, status] of refusals) {
    const answer = await api.ask(method, fill(path), {
      ...(tokens.own === undefined ? {} : { token: tokens.own }),
      ...(body === undefined ? {} : { raw: fill(JSON.stringify(body)) }),
    })
    expect([method, path, answer.status, answer.text]).toEqual([
      method,
      path,
      status,
      expect.any(String),
    ])
  }
  expect(await countRows(api)).toBe(before)
})

test('hides the donor of a donation from all callers but the donor, the creator and administrators', async () => {
  const api = await createTestApi()
  const { ids, tokens } = await createCast(api)
  for (const token of [undefined, tokens.unverified]) {
    const asked = token === undefined ? {} : { token }
    const one = await api.ask('GET', `/api/donations/${ids['@foreignDonation']}`, asked)
    expect(one.text).not.toContain(ids['@foreignUser'])
    expect((await api.ask('GET', '/api/donations', asked)).text).not.toContain(ids['@foreignUser'])
  }
})

test('refuses to act in the name of another user', async () => {
  const api = await createTestApi()
  const { ids, tokens } = await createCast(api)
  const token = tokens.own ?? ''
  const asked = (body: unknown) => ({ token, body })
  const campaign = {
    title: 'Wells',
    description: 'Water.',
    target_amount: 1,
    creator_id: ids['@foreignUser'],
    ledger_account: `0x${'d'.repeat(40)}`,
  }
  const donation = {
    userId: ids['@foreignUser'],
    campaignId: ids['@campaign'],
    amount: { value: 1, currency: 'USDC' },
    transaction: { txHash: `0x${'d'.repeat(64)}`, ledgerAddress: `0x${'d'.repeat(40)}` },
  }
  expect(codeOf(await api.ask('POST', '/api/campaigns', asked(campaign)))[0]).toBe(403)
  expect(codeOf(await api.ask('POST', '/api/donations', asked(donation)))[0]).toBe(403)
})

test('takes no role, id or verified address from the body of a registration', async () => {
  const api = await createTestApi()
  const wanted = {
    role: 'admin',
    roles: ['admin', 'verifier'],
    isAdmin: true,
    emailVerified: true,
    email_verified_at: '2026-01-01T00:00:00.000Z',
    id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  }
  for (const [name, value] of Object.entries(wanted)) {
    expect((await register(api, 'eve', { [name]: value })).body.code).toBe('unknown_parameter')
  }
  expect((await register(api, 'eve', { profile: { roles: ['admin'] } })).status).toBe(201)
  const { accessToken: token } = tokensOf((await login(api, 'eve')).body)
  const { body } = await api.ask('GET', '/api/auth/me', { token })
  expect(body).toMatchObject({ roles: [], emailVerified: false })
})

test('refuses those whose address is not verified what needs one', async () => {
  const api = await createTestApi()
  const { token } = await api.signIn({ verified: false })
  for (const path of ['/api/campaigns', '/api/donations', '/v1/campaigns', '/v1/donations']) {
    const answer = await api.ask('POST', path, { token, body: {} })
    expect(codeOf(answer)).toEqual([403, 'email_unverified'])
  }
})

test('refuses a flood of sign-ins, the right password included', async () => {
  const clock = createFakeClock()
  const world = await createTestApi({ clock })
  const hash = (id: string) => createHash('sha256').update(id).digest('hex')
  const limiter = createRateLimiter({ sql: world.ctx.sql, clock, log: world.ctx.log, hash })
  const attempts = createAttempts({ sql: world.ctx.sql, clock, hash })
  const policies = createPolicies({ anonymous: 100, user: 600, login: 3 })
  const api = await createTestApi({
    clock,
    deps: { rateLimits: { limiter, attempts, policies, trustedProxies: 0 } },
  })
  await register(api, 'ada')
  const tried: number[] = []
  for (const password of ['wrong 1', 'wrong 2', 'wrong 3', 'wrong 4', PASSWORD]) {
    tried.push((await login(api, 'ada', password)).status)
  }
  expect(tried).toEqual([401, 401, 401, 429, 429])
})

test('stops the guessing of a code after ten tries from everywhere, all at once or one by one', async () => {
  const api = await createTestApi()
  for (const [name, atOnce] of [
    ['ada', true],
    ['grace', false],
  ] as const) {
    const email = `${name}@example.org`
    await register(api, name)
    const code = await codeFor(api, email)
    const guess = () => verify(api, email, wrong(code))
    if (atOnce) await Promise.all(Array.from({ length: 20 }, guess))
    else for (let i = 0; i < 10; i++) await guess()
    expect(await verify(api, email, code)).toMatchObject(refusal(400, 'invalid_code'))
  }
  const [row] = await api.ctx.sql<{ lowest: number }[]>`
    select min(attempts_left) as lowest from email_code`
  expect(row?.lowest).toBe(0)
})

test('tells no unknown user from a wrong password', async () => {
  const credentials = createCredentials(createSecretBox('a secret that only this test knows'))
  const api = await createTestApi({ deps: { credentials } })
  await register(api, 'ada')
  const known = await login(api, 'ada', 'not her password')
  const strangers = await Promise.all([
    login(api, 'unknown', 'not her password'),
    login(api, 'unknown@example.org', 'not her password'),
  ])
  const { requestId: _, ...said } = known.body
  expect(known.status).toBe(401)
  for (const { status, body } of strangers) {
    const { requestId: __, ...same } = body
    expect([status, same]).toEqual([401, said])
  }
  // The time of the answer must not differ either, so a hash is computed for unknown users too.
  const times: Record<'ada' | 'unknown', number[]> = { ada: [], unknown: [] }
  for (let round = 0; round < 9; round++) {
    for (const name of ['ada', 'unknown'] as const) {
      const start = performance.now()
      await login(api, name, 'not her password')
      times[name].push(performance.now() - start)
    }
  }
  const [ofKnown, ofUnknown] = [median(times.ada), median(times.unknown)]
  expect(Math.max(ofKnown, ofUnknown) / Math.min(ofKnown, ofUnknown)).toBeLessThan(2.5)
})

test('never says whether an address is registered, and mails only its owner', async () => {
  const api = await createTestApi()
  await register(api, 'ada')
  await register(api, 'grace')
  await verify(api, 'grace@example.org', await codeFor(api, 'grace@example.org'))
  const answers = await Promise.all(
    ['ada', 'grace', 'unknown'].map((name) => verify(api, `${name}@example.org`)),
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  const [row] = await api.ctx.sql<{ count: number }[]>`
    select count(*) from mail where to_address = 'unknown@example.org'`
  expect(row?.count).toBe(0)
  const guesses = await Promise.all(
    ['ada', 'grace', 'unknown'].map((name) => verify(api, `${name}@example.org`, '000000')),
  )
  const said = guesses.map(({ status, body: { requestId: _, ...body } }) =>
    JSON.stringify({ status, body }),
  )
  expect(new Set(said).size).toBe(1)
})

test('refuses a body that is too long while it is still arriving, and goes on', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const size = 8 * 1024 * 1024
  const send = (body: string | ReadableStream<Uint8Array>) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half' as const,
    }
    return fetch(`${url}/api/auth/login`, request)
  }
  const declared = await send('x'.repeat(size))
  expect([declared.status, (await declared.json()) as object]).toMatchObject([
    413,
    { code: 'payload_too_large' },
  ])
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(32))
      if (sent >= size) controller.close()
    },
  })
  expect((await send(endless)).status).toBe(413)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('refuses a body that comes too slowly, and closes the connection', async () => {
  const api = await createTestApi()
  const limits = { requestTimeoutMs: 200, headersTimeoutMs: 150, checkMs: 30 }
  const server = createHttpServer({ app: api.app, log: api.ctx.log, ...limits })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  for (const head of ['POST /api/auth/login HTTP/1.1\r\n', `${HEADERS}{"username":"`]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head))
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"success":false')
  }
})

const HEADERS = [
  'POST /api/auth/login HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 1000',
  '',
  '',
].join('\r\n')
