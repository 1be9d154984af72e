import { expect, test } from 'vitest'
import { createApiWithUser, createTestApi } from './support/api.ts'

const URL = 'http://127.0.0.1:3999/hook'

test('registers an endpoint, shows its secret once, lists, reads and removes it', async () => {
  const { api, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/webhooks', {
    token,
    body: { url: URL, events: ['donation.completed'], description: 'mine' },
  })
  expect(created.status).toBe(201)
  const { webhook } = created.body as { webhook: { id: string; secret: string } }
  expect(webhook.secret).toMatch(/^whsec_/)
  const path = created.headers.get('location') ?? ''
  expect(path).toBe(`/api/webhooks/${webhook.id}`)
  const read = await api.ask('GET', path, { token })
  expect(read.body).toMatchObject({ url: URL, events: ['donation.completed'], status: 'active' })
  expect(read.text).not.toContain(webhook.secret)
  const listed = await api.ask('GET', '/api/webhooks', { token })
  expect(listed.body).toMatchObject({ webhooks: [{ id: webhook.id }], pagination: { total: 1 } })
  const removed = await api.ask('DELETE', path, { token })
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect((await api.ask('GET', path, { token })).status).toBe(404)
  expect((await api.ask('DELETE', path, { token })).status).toBe(404)
})

test("hides everybody else's endpoints, and refuses who is not signed in", async () => {
  const api = await createTestApi()
  const [owner, other] = [await api.signIn(), await api.signIn()]
  const created = await api.ask('POST', '/api/webhooks', { token: owner.token, body: { url: URL } })
  const path = created.headers.get('location') ?? ''
  for (const method of ['GET', 'DELETE']) {
    expect((await api.ask(method, path, { token: other.token })).status).toBe(404)
    expect((await api.ask(method, path)).status).toBe(401)
  }
  const listed = await api.ask('GET', '/api/webhooks', { token: other.token })
  expect(listed.body).toMatchObject({ webhooks: [], pagination: { total: 0 } })
  expect((await api.ask('GET', path, { token: owner.token })).status).toBe(200)
})

test('refuses addresses and events that are none', async () => {
  const { api, token } = await createApiWithUser()
  const codeFor = async (body: unknown) => {
    const answer = await api.ask('POST', '/api/webhooks', { token, body })
    return [answer.status, answer.body.code]
  }
  expect(await codeFor({ url: 'ftp://example.org' })).toEqual([400, 'webhook_url_refused'])
  expect(await codeFor({ url: 'http://169.254.169.254/x' })).toEqual([400, 'webhook_url_refused'])
  expect(await codeFor({ url: URL, events: ['nothing'] })).toEqual([400, 'invalid_input'])
  expect(await codeFor({})).toEqual([400, 'invalid_input'])
})

test('shows all of an endpoint but its secrets', async () => {
  const { api, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/webhooks', {
    token,
    body: {
      url: URL,
      signing: 'ed25519',
      headers: { Authorization: 'Bearer of-the-receiver' },
      ratePerMinute: 600,
      ordered: true,
    },
  })
  expect(created.body).toMatchObject({ webhook: { secret: null } })
  const read = await api.ask('GET', created.headers.get('location') ?? '', { token })
  expect(read.body).toMatchObject({
    status: 'active',
    disabledReason: null,
    failingSince: null,
    signing: 'ed25519',
    publicKey: expect.stringMatching(/^whpk_[\w+/]{43}=$/),
    previousSecretUntil: null,
    headers: ['authorization'],
    ratePerMinute: 600,
    ordered: true,
  })
  for (const text of [created.text, read.text]) {
    expect(text).not.toContain('of-the-receiver')
    expect(text).not.toContain('whsk_')
  }
})

test('changes, pauses and resumes an endpoint', async () => {
  const { api, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/webhooks', { token, body: { url: URL } })
  const path = created.headers.get('location') ?? ''
  const change = async (body: unknown) => {
    const { status, body: answer } = await api.ask('PATCH', path, { token, body })
    return { status, ...answer }
  }
  expect(
    await change({ url: `${URL}/new`, ratePerMinute: 60, description: 'new', ordered: true }),
  ).toMatchObject({
    status: 200,
    webhook: { url: `${URL}/new`, ratePerMinute: 60, description: 'new', ordered: true },
  })
  expect(await change({ ratePerMinute: null, description: null })).toMatchObject({
    webhook: { url: `${URL}/new`, ratePerMinute: null, description: null, ordered: true },
  })
  expect(await change({ status: 'paused' })).toMatchObject({ webhook: { status: 'paused' } })
  expect(await change({ status: 'active' })).toMatchObject({ webhook: { status: 'active' } })
})

test('refuses changes that are none', async () => {
  const { api, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/webhooks', { token, body: { url: URL } })
  const path = created.headers.get('location') ?? ''
  const codeFor = async (body: unknown) => {
    const answer = await api.ask('PATCH', path, { token, body })
    return [answer.status, answer.body.code]
  }
  expect(await codeFor({ url: 'http://10.0.0.1/' })).toEqual([400, 'webhook_url_refused'])
  expect(await codeFor({ status: 'disabled' })).toEqual([400, 'invalid_input'])
  expect(await codeFor({ headers: { Host: 'a' } })).toEqual([400, 'invalid_input'])
  expect(await codeFor({ headers: { 'x-a': 'b\r\nc: d' } })).toEqual([400, 'invalid_input'])
  expect(await codeFor({ ratePerMinute: 0 })).toEqual([400, 'invalid_input'])
  const read = await api.ask('GET', path, { token })
  expect(read.body).toMatchObject({ url: URL, status: 'active', headers: [] })
})

test('rotates a secret, shows it once, and again when the request is repeated', async () => {
  const { api, token } = await createApiWithUser()
  const created = await api.ask('POST', '/api/webhooks', { token, body: { url: URL } })
  const path = created.headers.get('location') ?? ''
  const rotate = async (key: string) => {
    const answer = await api.ask('POST', `${path}/rotate`, { token, key })
    expect(answer.status).toBe(200)
    return answer.body.webhook as { secret: string; previousSecretUntil: string }
  }
  const first = await rotate('one')
  expect(first.secret).toMatch(/^whsec_/)
  expect(created.text).not.toContain(first.secret)
  expect(await rotate('one')).toEqual(first)
  const second = await rotate('two')
  expect(second.secret).not.toBe(first.secret)
  const read = await api.ask('GET', path, { token })
  expect(read.body).toMatchObject({ previousSecretUntil: second.previousSecretUntil })
  expect(read.text).not.toContain('whsec_')
})

test('asks a key for the right to change webhooks', async () => {
  const { api, token } = await createApiWithUser()
  const keyWith = async (scopes: string[]) => {
    const made = await api.ask('POST', '/api/keys', { token, body: { name: 'a key', scopes } })
    return (made.body as { key: { key: string } }).key.key
  }
  const created = await api.ask('POST', '/api/webhooks', { token, body: { url: URL } })
  const path = created.headers.get('location') ?? ''
  const [reader, writer] = [await keyWith(['read']), await keyWith(['webhooks:write'])]
  const attempts = async (apiKey: string) => [
    (await api.ask('PATCH', path, { apiKey, body: { status: 'paused' } })).status,
    (await api.ask('POST', `${path}/rotate`, { apiKey })).status,
  ]
  expect(await attempts(reader)).toEqual([403, 403])
  expect(await attempts(writer)).toEqual([200, 200])
})
