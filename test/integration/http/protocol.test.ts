import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { campaignBody, createApiWithUser, createTestApi } from './support/api.ts'

const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
]

test('refuses bodies that are no JSON, no UTF-8, or hold what cannot be stored', async () => {
  const { api, token } = await createApiWithUser()
  const ask = async (raw: string | Uint8Array<ArrayBuffer>) =>
    codeOf(await api.ask('POST', '/api/campaigns', { token, raw }))
  const titled = (title: string) => JSON.stringify(campaignBody()).replace('Wells for Kitui', title)
  for (const raw of ['', '{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":01}', titled('\n')]) {
    expect(await ask(raw)).toEqual([400, 'invalid_json'])
  }
  expect(await ask(new Uint8Array([0x7b, 0xff, 0x7d]))).toEqual([400, 'invalid_json'])
  expect(await ask(titled('a\\u0000b'))).toEqual([400, 'invalid_json'])
  expect(await ask(titled('a\\ud800b'))).toEqual([400, 'invalid_json'])
  expect(await ask('['.repeat(100_000))).toEqual([400, 'invalid_json'])
  const nested = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await ask(nested))[0]).toBe(400)
  for (const raw of ['null', '[]', '"text"', '7', '1e400']) {
    expect(await ask(raw)).toEqual([400, 'invalid_input'])
  }
  expect(await ask(titled('caf\\u00e9 \\ud83d\\ude00'))).toEqual([201, undefined])
})

test('refuses numbers over 100 characters and over 64 levels, and says so', async () => {
  const { api, token } = await createApiWithUser()
  const ask = async (value: string) => {
    const raw = JSON.stringify(campaignBody({ extra: 0 })).replace('"extra":0', `"extra":${value}`)
    const { status, body } = await api.ask('POST', '/api/campaigns', { token, raw })
    return [status, body.code, body.error]
  }
  const longest = `0.1${'0'.repeat(96)}1`
  const deepest = '['.repeat(63) + ']'.repeat(63)
  const unknown = 'extra is unknown.'
  expect(await ask(`[${longest},${deepest.slice(1, -1)}]`)).toEqual([
    400,
    'unknown_parameter',
    unknown,
  ])
  const tooLong = 'A number in the body is too long: it may have at most 100 characters.'
  for (const value of [`${longest}0`, '9'.repeat(101), `-1e${'0'.repeat(98)}`]) {
    expect(await ask(value)).toEqual([400, 'invalid_json', tooLong])
  }
  const tooDeep = 'The body is nested too deeply: it may have at most 64 levels.'
  expect(await ask(`[${deepest}]`)).toEqual([400, 'invalid_json', tooDeep])
})

test('refuses unknown fields and parameters, and is not led astray by __proto__', async () => {
  const { api, token } = await createApiWithUser()
  const raw = JSON.stringify(campaignBody()).replace(
    '{',
    '{"__proto__":{"title":"polluted","isAdmin":true},"constructor":{"prototype":{"x":1}},',
  )
  const created = await api.ask('POST', '/api/campaigns', { token, raw })
  expect(codeOf(created)).toEqual([400, 'unknown_parameter'])
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  const registered = await api.ask('POST', '/api/auth/register', {
    raw: '{"email":"a@example.org","username":"ada","password":"quiet-river-42","profile":{"__proto__":{"x":1}}}',
  })
  expect(registered.status).toBe(201)
  for (const path of [
    '/api/campaigns?sorrt=1',
    `/api/campaigns/${newId()}?x=1`,
    '/api/auth/me?a',
    '/api/campaigns?__proto__=1',
  ]) {
    expect(codeOf(await api.ask('GET', path, { token }))).toEqual([400, 'unknown_parameter'])
  }
  expect(codeOf(await api.ask('GET', '/api/campaigns?page=1&page=2'))).toEqual([
    400,
    'invalid_input',
  ])
  expect((await api.app.request('/healthz?time=1')).status).toBe(200)
})

test('takes JSON only, with any parameters', async () => {
  const api = await createTestApi()
  const ask = async (type: string) =>
    codeOf(
      await api.ask('POST', '/api/auth/login', {
        raw: '{}',
        headers: { 'content-type': type },
      }),
    )
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'json',
    'application/jsonx',
  ]) {
    expect(await ask(type)).toEqual([415, 'unsupported_media_type'])
  }
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
  ]) {
    expect(await ask(type)).toEqual([400, 'invalid_input'])
  }
})

const KIB = 1024

/** A JSON body of exactly this size, with a field that no operation knows. */
const bodyOf = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - 8) })

test('refuses bodies over 256 KiB, with and without a length', async () => {
  const { api, token } = await createApiWithUser()
  const text = bodyOf(256 * KIB + 1)
  const bodies = [
    { raw: new Blob([text]).stream() },
    { raw: text, headers: { 'content-length': String(text.length) } },
    { raw: text, headers: { 'content-length': 'NaN' } },
  ]
  for (const asked of bodies) {
    const answer = await api.ask('POST', '/api/campaigns', { token, ...asked })
    expect(codeOf(answer)).toEqual([413, 'payload_too_large'])
  }
  const fits = await api.ask('POST', '/api/campaigns', { token, raw: bodyOf(256 * KIB) })
  expect(codeOf(fits)).toEqual([400, 'unknown_parameter'])
})

test('refuses bodies over 16 KiB from anonymous callers, at any path', async () => {
  const api = await createTestApi()
  const open = api.operations.filter(
    ({ auth, body }) => body && (auth === 'none' || auth === 'optional'),
  )
  expect(open.map(({ operationId }) => operationId)).toContain('login')
  for (const { method, path, operationId } of open) {
    const at = path.replace(':id', newId())
    const tooLarge = await api.ask(method, at, { raw: bodyOf(16 * KIB + 1) })
    expect([operationId, ...codeOf(tooLarge)]).toEqual([operationId, 413, 'payload_too_large'])
    expect(tooLarge.body.error).toBe('The body is larger than 16 KiB.')
    const fits = await api.ask(method, at, { raw: bodyOf(16 * KIB) })
    expect([operationId, ...codeOf(fits)]).toEqual([operationId, 400, 'unknown_parameter'])
  }
})

test('answers unknown addresses with 404, and other methods with 405 and what is allowed', async () => {
  const api = await createTestApi()
  for (const path of ['/api', '/api/nothing', '/api/campaigns/', '/api//campaigns', '/%']) {
    expect(codeOf(await api.ask('GET', path))).toEqual([404, 'route_not_found'])
  }
  for (const [method, path, allow] of [
    ['DELETE', '/api/campaigns', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/webhooks/x', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['PROPFIND', '/api/auth/login', 'POST, OPTIONS'],
  ] as const) {
    const answer = await api.ask(method, path)
    expect(codeOf(answer)).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.get('allow')).toBe(allow)
  }
  const options = await api.ask('OPTIONS', '/api/campaigns')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD, OPTIONS'])
  const head = await api.app.request('/healthz', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('x-request-id')).toBeTruthy()
})

test('answers an invalid id as an unknown id', async () => {
  const { api, token } = await createApiWithUser()
  for (const id of ['1', 'x'.repeat(300), '%00', '..%2f..', newId(), `${newId()}0`, "'--"]) {
    for (const resource of ['campaigns', 'donations', 'webhooks']) {
      const answer = await api.ask('GET', `/api/${resource}/${id}`, { token })
      expect(codeOf(answer)).toEqual([404, 'not_found'])
    }
  }
})

test('returns a request id that it was given, unless it is unfit for a log', async () => {
  const api = await createTestApi()
  const ask = async (id: string) =>
    (await api.ask('GET', '/nothing', { headers: { 'x-request-id': id } })).headers.get(
      'x-request-id',
    )
  expect(await ask('trace-1/ok')).toBe('trace-1/ok')
  for (const id of ['', 'a b', 'x'.repeat(129), 'é']) expect(await ask(id)).not.toBe(id)
})

test('sets security headers on every answer', async () => {
  const api = await createTestApi({ settings: { publicUrl: 'https://api.example.org' } })
  for (const path of ['/healthz', '/nothing']) {
    const { headers } = await api.ask('GET', path)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('answers other origins only where they are configured', async () => {
  const api = await createTestApi({ deps: { corsOrigins: ['https://app.example.org'] } })
  const ask = (method: string, origin: string, headers: Record<string, string> = {}) =>
    api.ask(method, '/api/campaigns', { headers: { origin, ...headers } })
  const allowed = await ask('GET', 'https://app.example.org')
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  expect(allowed.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  expect(allowed.headers.get('vary')).toBe('Origin, Prefer')
  const refused = await ask('GET', 'https://evil.example.org')
  expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  const preflight = { 'access-control-request-method': 'POST' }
  const yes = await ask('OPTIONS', 'https://app.example.org', preflight)
  expect(yes.status).toBe(204)
  expect(yes.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
  const no = await ask('OPTIONS', 'https://evil.example.org', preflight)
  expect(no.headers.get('access-control-allow-methods')).toBeNull()
})

test('says 503 and when to come back where the database is away, and nothing of why', async () => {
  const { api, token } = await createApiWithUser()
  await api.ctx.pool.end({ timeout: 1 })
  const answer = await api.ask('GET', '/api/campaigns', { token })
  expect(codeOf(answer)).toEqual([503, 'unavailable'])
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(answer.text).not.toMatch(/CONNECTION|postgres/i)
})

test('is healthy while it runs, and ready only when all that it needs is there', async () => {
  const checks = { database: { ok: true, note: '' }, schema: { ok: true } }
  const api = await createTestApi({ deps: { ready: async () => checks } })
  expect((await api.ask('GET', '/healthz')).body).toEqual({
    status: 'ok',
    version: '0.0.0',
  })
  expect((await api.ask('GET', '/readyz')).status).toBe(200)
  checks.database = { ok: false, note: 'does not answer' }
  const answer = await api.ask('GET', '/readyz')
  expect(codeOf(answer)).toEqual([503, 'unavailable'])
  expect(answer.body.details).toEqual([{ path: 'database', message: 'does not answer' }])
})
