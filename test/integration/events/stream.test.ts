import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ACCESS_TOKEN_TTL_S } from '../../../src/auth/access-tokens.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit, type NewEvent } from '../../../src/outbox/emit.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { atLeast, exactly, waitFor } from '../../support/wait-for.ts'
import { createTestApi, requestOf, type TestApi } from '../http/support/api.ts'
import { happened, idsOf } from './support/happenings.ts'
import { openStreamAt, type StreamClient, waitForEvents } from './support/stream-client.ts'

const openOnes = (metrics: ReturnType<typeof createTestMetrics>, count: number) =>
  waitFor(
    `${count} streams to be open`,
    () => metrics.value('fundproof_event_streams_open', {}),
    exactly(count),
  )

const ended = (client: StreamClient) => waitFor('the stream to end', () => client.ended(), Boolean)

test('streams what happens from now on, each event as the feed has it', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  await happened(api.ctx, userId, 2)
  await waitFor(
    'the feed to have what was before',
    () => api.ask('GET', '/api/events', { token }),
    ({ body }) => (body.events as unknown[]).length === 2,
  )
  const client = await openStreamAt(url, { token })
  expect(client.status).toBe(200)
  expect(client.headers['content-type']).toBe('text/event-stream')
  expect(client.headers['cache-control']).toBe('no-store, no-transform')
  expect(client.headers['content-encoding']).toBeUndefined()
  const ids = await happened(api.ctx, userId, 3)
  await waitForEvents(client, ids)
  expect(client.ids()).toEqual(ids)
  expect(client.events.map(({ type }) => type)).toEqual(ids.map(() => 'user.verified'))
  expect(Number(client.retries[0])).toBeGreaterThan(0)
  const cursor = client.events[0]?.cursor
  const feed = await api.ask('GET', `/api/events?after=${cursor}`, { token })
  expect(idsOf(feed.body.events as { id: string }[])).toEqual(ids.slice(1))
})

test('begins after a cursor, by query or by Last-Event-ID, which counts before it', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const ids = await happened(api.ctx, userId, 120)
  const all = await openStreamAt(url, { token, query: `?after=${btoa('0.0')}` })
  await waitForEvents(all, ids)
  expect(all.ids()).toEqual(ids)
  const cursorOf = (at: number) => all.events[at]?.cursor ?? ''
  const query = `?after=${cursorOf(9)}`
  const byQuery = await openStreamAt(url, { token, query })
  const byHeader = await openStreamAt(url, { token, query, lastEventId: cursorOf(99) })
  const more = await happened(api.ctx, userId, 1)
  await waitForEvents(byQuery, more)
  await waitForEvents(byHeader, more)
  expect(byQuery.ids()).toEqual([...ids.slice(10), ...more])
  expect(byHeader.ids()).toEqual([...ids.slice(100), ...more])
  const refused = await api.ask('GET', '/api/events/stream', {
    token,
    headers: { 'last-event-id': 'nonsense' },
  })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor'])
})

test('keeps the connection alive with comments that move the place to resume from', async () => {
  const api = await createTestApi({ streams: { heartbeatMs: 40 } })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const client = await openStreamAt(url, { token, query: '?event=campaign.funded' })
  await waitFor('a heartbeat', () => client.comments.length, atLeast(2))
  const before = client.lastEventId()
  expect(before).not.toBe('')
  const ids = await happened(api.ctx, userId, 2)
  await waitFor(
    'the place to pass what the filter left out',
    async () => {
      const after = client.lastEventId()
      const feed = await api.ask('GET', `/api/events?after=${after}`, { token })
      return (feed.body.events as unknown[]).length === 0 && after !== before
    },
    Boolean,
  )
  expect(client.ids()).toEqual([])
  expect(ids).toHaveLength(2)
})

test('sends users only their own events, and administrators all events', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const [one, other] = [await api.signIn(), await api.signIn()]
  const admin = await api.signIn({ roles: ['admin'] })
  const open = ({ token }: { token: string }) => openStreamAt(url, { token })
  const [ofOne, ofOther, ofAdmin] = [await open(one), await open(other), await open(admin)]
  const first = await happened(api.ctx, one.userId, 2)
  const both = await happened(api.ctx, [one.userId, other.userId], 1)
  const nobodys = await happened(api.ctx, newId(), 1)
  await waitForEvents(ofAdmin, nobodys)
  await waitForEvents(ofOther, both)
  await waitForEvents(ofOne, both)
  expect(ofOne.ids()).toEqual([...first, ...both])
  expect(ofOther.ids()).toEqual(both)
  expect(ofAdmin.ids()).toEqual([...first, ...both, ...nobodys])
})

test('refuses who is not signed in or not verified, and a key without the scope', async () => {
  const api = await createTestApi()
  expect((await api.ask('GET', '/api/events/stream')).status).toBe(401)
  const unverified = await api.signIn({ verified: false })
  const early = await api.ask('GET', '/api/events/stream', { token: unverified.token })
  expect([early.status, early.body.code]).toEqual([403, 'email_unverified'])
  const { token } = await api.signIn()
  const made = await newKey(api, token, ['webhooks:write'])
  expect((await api.ask('GET', '/api/events/stream', { apiKey: made.key })).status).toBe(403)
})

test('ends when its session is revoked, its token expires, or its key is revoked', async () => {
  const clock = createFakeClock()
  const api = await createTestApi({ clock, streams: { checkMs: 40 } })
  const url = await api.listen()
  const [one, two, three] = [await api.signIn(), await api.signIn(), await api.signIn()]
  const { key, id } = await newKey(api, three.token, ['read'])
  const revoked = await openStreamAt(url, { token: one.token })
  const expiring = await openStreamAt(url, { token: two.token })
  const keyed = await openStreamAt(url, { apiKey: key })
  for (const client of [revoked, expiring, keyed]) {
    await waitFor('the stream to begin', () => client.lastEventId(), Boolean)
  }
  api.deps.revokedSessions.add([one.userId])
  expect(await ended(revoked)).toBe('closed')
  expect(revoked.comments.at(-1)).toMatch(/session .* has ended/)
  expect([expiring.ended(), keyed.ended()]).toEqual([undefined, undefined])
  expect((await api.ask('DELETE', `/api/keys/${id}`, { token: three.token })).status).toBe(204)
  clock.advance(4_000)
  expect(await ended(keyed)).toBe('closed')
  expect(expiring.ended()).toBeUndefined()
  clock.advance(ACCESS_TOKEN_TTL_S * 1_000)
  expect(await ended(expiring)).toBe('closed')
  expect(expiring.comments.at(-1)).toMatch(/expired/)
})

test('limits the streams of an account and of the process, and frees the place of a closed stream', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ streams: { metrics, maxPerUser: 2, maxPerProcess: 3 } })
  const url = await api.listen()
  const [one, other] = [await api.signIn(), await api.signIn()]
  const [first] = [await openStreamAt(url, one), await openStreamAt(url, one)]
  const refused = await api.ask('GET', '/api/events/stream', { token: one.token })
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_streams'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await openStreamAt(url, other)
  const full = await api.ask('GET', '/api/events/stream', { token: other.token })
  expect([full.status, full.body.code]).toEqual([503, 'unavailable'])
  first.close()
  await openOnes(metrics, 2)
  // HEAD requests do not occupy a place.
  for (let times = 0; times < 3; times++) expect(await headOf(url, one.token)).toBe(200)
  await openOnes(metrics, 2)
  expect((await openStreamAt(url, one)).status).toBe(200)
})

test('limits the streams of a network, for any number of accounts, and frees the place of a closed stream', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ streams: { metrics, maxPerAddress: 2 } })
  const url = await api.listen()
  const [one, two, three] = [await api.signIn(), await api.signIn(), await api.signIn()]
  const [first] = [await openStreamAt(url, one), await openStreamAt(url, two)]
  const refused = await openStreamAt(url, three)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
  const from = async (remoteAddress: string) => {
    const incoming = { socket: { remoteAddress } }
    const asked = requestOf('GET', { token: three.token })
    const answer = await api.app.request('/api/events/stream', asked, { incoming })
    if (answer.ok) onTestFinished(async () => answer.body?.cancel())
    return answer.status
  }
  // All IPv6 addresses of one subscriber count as one network.
  const asked = ['192.0.2.1', '2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1']
  const found: number[] = []
  for (const address of asked) found.push(await from(address))
  expect(found).toEqual([200, 200, 200, 429])
  first.close()
  await openOnes(metrics, 4)
  expect((await openStreamAt(url, three)).status).toBe(200)
})

test('disconnects a client that reads nothing, and no other client', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ streams: { metrics, maxQueuedBytes: 100_000 } })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const [slow, quick] = [await openStreamAt(url, { token }), await openStreamAt(url, { token })]
  await openOnes(metrics, 2)
  for (const client of [slow, quick]) {
    await waitFor('the stream to begin', () => client.lastEventId(), Boolean)
  }
  slow.pause()
  const ids: string[] = []
  await waitFor(
    'the slow one to be cut',
    async () => {
      await emit(api.ctx, [longEvent(userId)])
      const [row] = await api.ctx.sql<{ id: string }[]>`
        select id from event order by seq desc limit 1`
      ids.push(row?.id ?? '')
      await waitForEvents(quick, ids)
      return metrics.value('fundproof_event_streams_open', {})
    },
    exactly(1),
  )
  expect(quick.ids()).toEqual(ids)
  expect(quick.ended()).toBeUndefined()
  // A client that reconnects continues after its last event, however large an event is.
  const back = await openStreamAt(url, { token, lastEventId: quick.events[0]?.cursor ?? '' })
  await waitForEvents(back, ids.slice(1))
  expect(back.ids()).toEqual(ids.slice(1))
})

test('disconnects a client that has stopped reading even below the limit of bytes, and no idle client', async () => {
  const metrics = createTestMetrics()
  const hour = 3_600_000
  const api = await createTestApi({
    streams: { metrics, heartbeatMs: hour, maxQueuedBytes: 100_000_000 },
  })
  const url = await api.listen({ stalledMs: 300, checkMs: 30 })
  const [slow, idle] = [await api.signIn(), await api.signIn()]
  await emit(api.ctx, Array<NewEvent>(40).fill(longEvent(slow.userId)))
  const waits = await openStreamAt(url, idle)
  const takes = await openStreamAt(url, { ...slow, query: `?after=${btoa('0.0')}` })
  takes.pause()
  await openOnes(metrics, 1)
  expect(waits.ended()).toBeUndefined()
  const ids = await happened(api.ctx, idle.userId, 1)
  await waitForEvents(waits, ids)
})

test('ends every stream at once when the process stops, and opens no further one', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ streams: { metrics } })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const clients = [await openStreamAt(url, { token }), await openStreamAt(url, { token })]
  const ids = await happened(api.ctx, userId, 1)
  for (const client of clients) await waitForEvents(client, ids)
  const beganAt = performance.now()
  api.deps.streams.stop()
  for (const client of clients) expect(await ended(client)).toBe('closed')
  expect(performance.now() - beganAt).toBeLessThan(2_000)
  expect(metrics.value('fundproof_event_streams_open', {})).toBe(0)
  const refused = await api.ask('GET', '/api/events/stream', { token })
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
})

/** An event so long that a few of them fill the kernel's buffers for a client. */
const longEvent = (userId: string): NewEvent => {
  const now = new Date().toISOString()
  const url = `https://example.org/${'x'.repeat(500_000)}`
  const evidence = [{ type: 'report', url, timestamp: now }]
  return {
    type: 'impact.verified',
    campaignId: null,
    audience: [userId],
    data: { campaignId: newId(), verifiers: [], evidence, verifiedAt: now },
  }
}

const newKey = async (api: TestApi, token: string, scopes: string[]) => {
  const made = await api.ask('POST', '/api/keys', { token, body: { name: 'stream', scopes } })
  expect(made.status, made.text).toBe(201)
  return made.body.key as { id: string; key: string }
}

const headOf = (url: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request(`${url}/api/events/stream`, { method: 'HEAD', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
