import { expect, test } from 'vitest'
import { claimDeliveries, recordAttempts } from '../../../src/domain/events/index.ts'
import { EVENT_TYPES, eventData } from '../../../src/outbox/events.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { happened } from '../events/support/happenings.ts'
import { type Caller, createClockedApi, type TestApi } from '../http/support/api.ts'
import { failureOf, resultOf } from './support/world.ts'

const URL = 'http://127.0.0.1:3999/hook'

type Delivery = {
  id: string
  eventId: string
  event: string
  status: string
  attempts: number
  nextAttemptAt: string | null
  deliveredAt: string | null
}
type Replay = {
  deliveries: number
  undelivered: number
  replayed: number
  remaining: number
  nextCursor: string | null
}

const prepare = async () => {
  const { api, clock } = await createClockedApi()
  const owner = await api.signIn()
  const id = await addEndpoint(api, owner)
  return { api, clock, owner, id, path: `/api/webhooks/${id}` }
}

const addEndpoint = async (api: TestApi, owner: Caller, events?: string[]): Promise<string> => {
  const made = await api.ask('POST', '/api/webhooks', {
    token: owner.token,
    body: { url: URL, ...(events ? { events } : {}) },
  })
  expect(made.status, made.text).toBe(201)
  return (made.body.webhook as { id: string }).id
}

const relay = (api: TestApi) => relayEvents(api.ctx, { limit: 1_000 })

const claim = (api: TestApi) =>
  claimDeliveries(api.ctx, { limit: 1_000, perEndpoint: 1_000, leaseMs: 60_000 })

/** Attempts all due deliveries with this status. Returns the ids of their events. */
const attempt = async (api: TestApi, statusCode: number): Promise<string[]> => {
  const claimed = await claim(api)
  const result =
    statusCode < 300
      ? resultOf({ statusCode, startedAt: api.ctx.clock.now() })
      : failureOf(statusCode)
  await recordAttempts(
    api.ctx,
    claimed.map((delivery) => ({ delivery, result })),
  )
  return claimed.map(({ eventId }) => eventId)
}

/** Sets every pending delivery to exhausted, as after the last attempt of the schedule. */
const exhaust = (api: TestApi) => api.ctx.sql`
  update webhook_delivery set status = 'exhausted', next_attempt_at = null
  where status = 'pending'`

const list = async (api: TestApi, path: string, owner: Caller, query = '') => {
  const answer = await api.ask('GET', `${path}/deliveries${query}`, { token: owner.token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as { deliveries: Delivery[]; pagination: { total: number } }
}

const replay = async (
  api: TestApi,
  path: string,
  owner: Caller,
  body: Record<string, unknown>,
): Promise<Replay> => {
  const answer = await api.ask('POST', `${path}/replay`, { token: owner.token, body })
  expect(answer.status, answer.text).toBe(body.dryRun ? 200 : 202)
  return answer.body.replay as Replay
}

const LONG_AGO = '2020-01-01T00:00:00Z'

test('lists deliveries newest first, by status, type and time, and tells every attempt of one', async () => {
  const { api, clock, owner, path } = await prepare()
  const [first = ''] = await happened(api.ctx, owner.userId, 1)
  await relay(api)
  await attempt(api, 503)
  clock.advance(10_000)
  await attempt(api, 200)
  const between = clock.now().toISOString()
  clock.advance(1_000)
  const [second = ''] = await happened(api.ctx, owner.userId, 1)
  await relay(api)

  const all = await list(api, path, owner)
  expect(all.pagination.total).toBe(2)
  expect(all.deliveries).toMatchObject([
    { eventId: second, event: 'user.verified', status: 'pending', attempts: 0 },
    { eventId: first, status: 'delivered', attempts: 2, nextAttemptAt: null },
  ])
  expect(all.deliveries[0]?.nextAttemptAt).not.toBeNull()
  expect(all.deliveries[1]?.deliveredAt).not.toBeNull()
  const eventsOf = async (query: string) =>
    (await list(api, path, owner, query)).deliveries.map(({ eventId }) => eventId)
  expect(await eventsOf('?status=delivered')).toEqual([first])
  expect(await eventsOf(`?since=${between}`)).toEqual([second])
  expect(await eventsOf(`?until=${between}`)).toEqual([first])
  expect(await eventsOf('?event=user.verified&limit=1')).toEqual([second])
  expect(await eventsOf('?event=campaign.funded')).toEqual([])

  const id = all.deliveries[1]?.id
  const one = await api.ask('GET', `${path}/deliveries/${id}`, { token: owner.token })
  expect(one.body).toMatchObject({
    id,
    eventId: first,
    attemptLog: [
      { number: 1, statusCode: 503, errorKind: 'http', durationMs: 5 },
      { number: 2, statusCode: 200, errorKind: null, responseBody: 'ok' },
    ],
  })
  const refused = await api.ask('GET', `${path}/deliveries?status=lost`, { token: owner.token })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input'])
})

test('sends a delivery again in any state, with the whole schedule', async () => {
  const { api, owner, path } = await prepare()
  const [eventId = ''] = await happened(api.ctx, owner.userId, 1)
  await relay(api)
  await attempt(api, 200)
  const [delivery] = (await list(api, path, owner)).deliveries
  const resend = () =>
    api.ask('POST', `${path}/deliveries/${delivery?.id}/resend`, { token: owner.token })
  const before = api.wakes.length
  const sent = await resend()
  expect(sent.status).toBe(202)
  expect(sent.body.delivery).toMatchObject({ status: 'pending', attempts: 1, deliveredAt: null })
  expect(api.wakes.slice(before)).toContain('deliveries')
  const claimed = await claim(api)
  expect(claimed.map((one) => one.eventId)).toEqual([eventId])
  const [row] = await api.ctx.sql`select schedule_attempts from webhook_delivery`
  expect(row?.scheduleAttempts).toBe(0)

  const underWay = await resend()
  expect([underWay.status, underWay.body.code]).toEqual([409, 'conflict'])
  await recordAttempts(
    api.ctx,
    claimed.map((one) => ({ delivery: one, result: resultOf({}) })),
  )
  const read = await api.ask('GET', `${path}/deliveries/${delivery?.id}`, { token: owner.token })
  expect(read.body).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('counts what failed since a time before it replays it, and replays it once', async () => {
  const { api, clock, owner, path } = await prepare()
  await happened(api.ctx, owner.userId, 2)
  await relay(api)
  await exhaust(api)
  clock.advance(60_000)
  const since = clock.now().toISOString()
  const failed = await happened(api.ctx, owner.userId, 3)
  await relay(api)
  await exhaust(api)
  clock.advance(60_000)
  const arrived = await happened(api.ctx, owner.userId, 1)
  await relay(api)
  await attempt(api, 200)

  const counted = await replay(api, path, owner, { since, dryRun: true })
  expect(counted).toMatchObject({ deliveries: 3, undelivered: 0, replayed: 0, remaining: 3 })
  expect(await claim(api)).toEqual([])
  const done = await replay(api, path, owner, { since })
  expect(done).toMatchObject({ deliveries: 3, replayed: 3, remaining: 0, nextCursor: null })
  expect((await attempt(api, 200)).toSorted()).toEqual(failed.toSorted())
  expect(await replay(api, path, owner, { since })).toMatchObject({ deliveries: 0, replayed: 0 })

  const others = { since, events: ['campaign.funded'], dryRun: true }
  expect((await replay(api, path, owner, others)).deliveries).toBe(0)
  const before = { since: LONG_AGO, until: since, dryRun: true }
  expect((await replay(api, path, owner, before)).deliveries).toBe(2)
  const again = { since, status: ['delivered'] }
  expect(await replay(api, path, owner, again)).toMatchObject({ deliveries: 4, replayed: 4 })
  expect((await attempt(api, 200)).toSorted()).toEqual([...failed, ...arrived].toSorted())
})

test('replays what an endpoint never had: it came later, or was disabled', async () => {
  const { api, owner, id, path } = await prepare()
  const other = await api.signIn()
  const admin = await api.signIn({ roles: ['admin'] })
  await api.ctx.sql`update webhook_endpoint set status = 'disabled' where id = ${id}`
  const missed = await happened(api.ctx, owner.userId, 2)
  const foreign = await happened(api.ctx, other.userId, 1)
  await relay(api)
  await api.ctx.sql`update webhook_endpoint set status = 'active' where id = ${id}`
  const had = await happened(api.ctx, owner.userId, 1)
  await relay(api)
  expect(await attempt(api, 200)).toEqual(had)

  const asked = { since: LONG_AGO, includeUndelivered: true }
  expect((await replay(api, path, owner, { since: LONG_AGO })).deliveries).toBe(0)
  expect(await replay(api, path, owner, { ...asked, dryRun: true })).toMatchObject({
    deliveries: 0,
    undelivered: 2,
    replayed: 0,
  })
  expect(await replay(api, path, owner, asked)).toMatchObject({ undelivered: 2, replayed: 2 })
  const [first] = await api.ctx.sql`
    select delivery.event_seq = event.seq as right_seq, delivery.campaign_id
    from webhook_delivery delivery join event on event.id = delivery.event_id
    where event.id = ${missed[0] ?? ''}`
  expect(first).toEqual({ rightSeq: true, campaignId: null })
  expect((await attempt(api, 200)).toSorted()).toEqual(missed.toSorted())
  expect(await replay(api, path, owner, asked)).toMatchObject({ undelivered: 0, replayed: 0 })

  // Events of other types were never missed. An administrator's endpoint has missed the events of
  // all users.
  const picky = await addEndpoint(api, owner, ['campaign.funded'])
  expect(await replay(api, `/api/webhooks/${picky}`, owner, asked)).toMatchObject({ replayed: 0 })
  const ofAdmin = await addEndpoint(api, admin)
  expect(await replay(api, `/api/webhooks/${ofAdmin}`, admin, asked)).toMatchObject({ replayed: 4 })
  expect((await attempt(api, 200)).toSorted()).toEqual([...missed, ...foreign, ...had].toSorted())
})

test('replays at most ten thousand a call, and goes on where it is asked to', async () => {
  const { api, owner, id, path } = await prepare()
  const failed = 10_050
  await api.ctx.sql`
    with made as (
      insert into event (id, type, audience, packed, created_at)
      select gen_random_uuid(), 'user.verified', ${[owner.userId]}::uuid[], '{}', now()
      from generate_series(1, ${failed}) returning id, seq
    )
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, status, event_seq, created_at)
    select gen_random_uuid(), id, ${id}, 'user.verified', 'exhausted', seq, now() from made`
  const asked = { since: LONG_AGO, status: ['exhausted', 'delivered'] }
  const first = await replay(api, path, owner, asked)
  expect(first).toMatchObject({ deliveries: failed, replayed: 10_000, remaining: 50 })
  const rest = await replay(api, path, owner, { ...asked, cursor: first.nextCursor })
  expect(rest).toMatchObject({ deliveries: 50, replayed: 50, remaining: 0, nextCursor: null })
})

test('sends a sample of every type to one endpoint only, marked as a test, and to no other user', async () => {
  const { api, owner, path } = await prepare()
  await addEndpoint(api, owner)
  const admin = await api.signIn({ roles: ['admin'] })
  await addEndpoint(api, admin)
  for (const event of EVENT_TYPES) {
    const sent = await api.ask('POST', `${path}/test`, { token: owner.token, body: { event } })
    expect(sent.status, sent.text).toBe(202)
    const { deliveryId, eventId } = sent.body.test as { deliveryId: string; eventId: string }
    expect(sent.headers.get('location')).toBe(`${path}/deliveries/${deliveryId}`)
    const [claimed, ...others] = await claim(api)
    expect(others).toEqual([])
    expect(claimed).toMatchObject({ id: deliveryId, eventId })
    const envelope = JSON.parse(String(claimed?.body)) as Record<string, unknown>
    expect(envelope).toMatchObject({ id: eventId, event, test: true })
    expect(eventData[event].safeParse(envelope.data).error).toBeUndefined()
    await recordAttempts(api.ctx, claimed ? [{ delivery: claimed, result: resultOf({}) }] : [])
    const read = await api.ask('GET', `${path}/deliveries/${deliveryId}`, { token: owner.token })
    expect(read.body).toMatchObject({ test: true, status: 'delivered', event })
  }
  const plain = await api.ask('POST', `${path}/test`, { token: owner.token, body: {} })
  expect(plain.body.test).toMatchObject({ event: 'donation.completed' })
  expect((await api.ask('GET', '/api/events', { token: owner.token })).body.events).toEqual([])
})

test('holds what is sent to a paused endpoint, and refuses for a disabled one', async () => {
  const { api, owner, id, path } = await prepare()
  const [eventId = ''] = await happened(api.ctx, owner.userId, 1)
  await relay(api)
  await attempt(api, 200)
  const [delivery] = (await list(api, path, owner)).deliveries
  const asks: [string, Record<string, unknown> | undefined][] = [
    [`${path}/deliveries/${delivery?.id}/resend`, undefined],
    [`${path}/replay`, { since: LONG_AGO }],
    [`${path}/test`, {}],
  ]
  const setStatus = (status: string) =>
    api.ctx.sql`update webhook_endpoint set status = ${status} where id = ${id}`
  await setStatus('disabled')
  for (const [address, body] of asks) {
    const refused = await api.ask('POST', address, { token: owner.token, body })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.error).toMatch(/disabled/)
  }
  await setStatus('paused')
  for (const [address, body] of asks) {
    expect((await api.ask('POST', address, { token: owner.token, body })).status).toBe(202)
  }
  expect(await claim(api)).toEqual([])
  await setStatus('active')
  expect(await claim(api)).toHaveLength(2)
  expect(eventId).not.toBe('')
})

test("refuses another user's deliveries, also to administrators and readers' keys", async () => {
  const { api, owner, path } = await prepare()
  await happened(api.ctx, owner.userId, 1)
  await relay(api)
  const [delivery] = (await list(api, path, owner)).deliveries
  const one = `${path}/deliveries/${delivery?.id}`
  const mine = await addEndpoint(api, await api.signIn())
  const asks: [string, string, Record<string, unknown> | undefined][] = [
    ['GET', `${path}/deliveries`, undefined],
    ['GET', one, undefined],
    ['POST', `${one}/resend`, undefined],
    ['POST', `${path}/replay`, { since: LONG_AGO }],
    ['POST', `${path}/test`, {}],
  ]
  const stranger = await api.signIn()
  const admin = await api.signIn({ roles: ['admin'] })
  const made = await api.ask('POST', '/api/keys', {
    token: owner.token,
    body: { name: 'reader', scopes: ['read'] },
  })
  const { key } = made.body.key as { key: string }
  for (const [method, address, body] of asks) {
    for (const { token } of [stranger, admin]) {
      expect((await api.ask(method, address, { token, body })).status).toBe(404)
    }
    expect((await api.ask(method, address, { body })).status).toBe(401)
    const byKey = await api.ask(method, address, { apiKey: key, body })
    expect(byKey.status).toBe(method === 'GET' ? 200 : 403)
  }
  // A delivery is only found under its endpoint.
  const elsewhere = `/api/webhooks/${mine}/deliveries/${delivery?.id}`
  expect((await api.ask('GET', elsewhere, { token: owner.token })).status).toBe(404)
  const second = await addEndpoint(api, owner)
  const beside = `/api/webhooks/${second}/deliveries/${delivery?.id}`
  expect((await api.ask('GET', beside, { token: owner.token })).status).toBe(404)
  expect((await api.ask('POST', `${beside}/resend`, { token: owner.token })).status).toBe(404)
})
