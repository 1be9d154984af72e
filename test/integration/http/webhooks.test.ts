import { expect, test } from 'vitest'
import { createTestApi } from './support/api.ts'

const URL = 'http://127.0.0.1:3999/hook'

test('registers an endpoint, shows its secret once, lists, reads and removes it', async () => {
  const api = await createTestApi()
  const { token } = await api.signIn()
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
  const api = await createTestApi()
  const { token } = await api.signIn()
  const codeFor = async (body: unknown) => {
    const answer = await api.ask('POST', '/api/webhooks', { token, body })
    return [answer.status, answer.body.code]
  }
  expect(await codeFor({ url: 'ftp://example.org' })).toEqual([400, 'webhook_url_refused'])
  expect(await codeFor({ url: 'http://169.254.169.254/x' })).toEqual([400, 'webhook_url_refused'])
  expect(await codeFor({ url: URL, events: ['nothing'] })).toEqual([400, 'invalid_input'])
  expect(await codeFor({})).toEqual([400, 'invalid_input'])
})
