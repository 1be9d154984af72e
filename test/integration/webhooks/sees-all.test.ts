import { expect, test } from 'vitest'
import { changeRoles } from '../../../src/domain/account/index.ts'
import {
  claimDeliveries,
  recordAttempts,
  relayEvents as relayInto,
} from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { happened } from '../events/support/happenings.ts'
import { type Asked, createClockedApi, refusal, type TestApi } from '../http/support/api.ts'
import { failureOf, resultOf } from './support/world.ts'

const URL = 'http://127.0.0.1:3999/hook'
const LONG_AGO = '2020-01-01T00:00:00Z'

type By = Pick<Asked, 'token' | 'apiKey'>

const prepare = async () => {
  // The API caches keys for three seconds of this clock.
  const { api, clock } = await createClockedApi()
  // A second administrator, because the last administrator cannot lose the role.
  const other = await api.signIn({ roles: ['admin'] })
  const admin = await api.signIn({ roles: ['admin'] })
  const keyWith = async (scopes: string[]): Promise<By> => {
    const body = { name: 'a key', scopes }
    const made = await api.ask('POST', '/api/keys', { token: admin.token, body })
    return { apiKey: (made.body.key as { key: string }).key }
  }
  const [narrow, full] = [
    await keyWith(['webhooks:write', 'read']),
    await keyWith(['webhooks:write', 'admin']),
  ]
  return { api, clock, other, admin, narrow, full }
}

const addEndpoint = async (api: TestApi, by: By, body = {}): Promise<string> => {
  const made = await api.ask('POST', '/api/webhooks', { ...by, body: { url: URL, ...body } })
  expect(made.status, made.text).toBe(201)
  return (made.body.webhook as { id: string }).id
}

const change = async (api: TestApi, by: By, id: string, body = {}) => {
  const changed = await api.ask('PATCH', `/api/webhooks/${id}`, { ...by, body })
  expect(changed.status, changed.text).toBe(200)
}

const relay = (api: TestApi) => relayEvents(api.ctx, { limit: 1_000 })

const pendingOf = async ({ ctx }: TestApi, endpointId: string): Promise<string[]> => {
  const rows = await ctx.sql<{ eventId: string }[]>`
    select event_id from webhook_delivery
    where endpoint_id = ${endpointId} and status = 'pending' order by event_seq`
  return rows.map(({ eventId }) => eventId)
}

/** Whether the endpoint gets an event of another user. Relay and replay must agree. */
const seesAll = async (api: TestApi, by: By, id: string): Promise<boolean> => {
  const [event = ''] = await happened(api.ctx, newId(), 1)
  await relay(api)
  const relayed = (await pendingOf(api, id)).includes(event)
  await api.ctx.sql`delete from webhook_delivery where endpoint_id = ${id}`
  const asked = { since: LONG_AGO, includeUndelivered: true, dryRun: true }
  const answer = await api.ask('POST', `/api/webhooks/${id}/replay`, { ...by, body: asked })
  const { undelivered } = answer.body.replay as { undelivered: number }
  expect(undelivered > 0, 'replayed as it is relayed').toBe(relayed)
  return relayed
}

test("gives everybody's events only where an actor with administrator's rights made the endpoint", async () => {
  const { api, admin, narrow, full } = await prepare()
  expect(await seesAll(api, narrow, await addEndpoint(api, { token: admin.token }))).toBe(true)
  expect(await seesAll(api, narrow, await addEndpoint(api, full))).toBe(true)
  expect(await seesAll(api, narrow, await addEndpoint(api, narrow))).toBe(false)
  const { token, userId } = await api.signIn()
  const early = await addEndpoint(api, { token })
  await changeRoles(api.ctx, { id: userId }, { grant: ['admin'] })
  expect(await seesAll(api, { token }, early)).toBe(false)
})

test("gives an endpoint everybody's events only while such an actor has changed it last", async () => {
  const { api, other, admin, narrow, full } = await prepare()
  const id = await addEndpoint(api, { token: admin.token })
  await change(api, narrow, id, { url: `${URL}/elsewhere` })
  expect(await seesAll(api, narrow, id)).toBe(false)
  // Another administrator may change only the status, which does not show that the URL is trusted.
  await change(api, { token: other.token }, id, { status: 'paused' })
  await change(api, { token: other.token }, id, { status: 'active' })
  expect(await seesAll(api, narrow, id)).toBe(false)
  await change(api, full, id)
  expect(await seesAll(api, narrow, id)).toBe(true)
  await change(api, { token: other.token }, id, { status: 'paused' })
  expect(await seesAll(api, narrow, id)).toBe(true)
  await change(api, narrow, id)
  expect(await seesAll(api, narrow, id)).toBe(false)
})

test("gives an endpoint everybody's events only while its owner is an administrator", async () => {
  const { api, clock, admin, narrow } = await prepare()
  const id = await addEndpoint(api, { token: admin.token })
  await changeRoles(api.ctx, { id: admin.userId }, { revoke: ['admin'] })
  clock.advance(3_000)
  expect(await seesAll(api, narrow, id)).toBe(false)
  await changeRoles(api.ctx, { id: admin.userId }, { grant: ['admin'] })
  clock.advance(3_000)
  expect(await seesAll(api, narrow, id)).toBe(true)
})

test.each(['a key without the scope changes it', 'its owner loses the role'])(
  "sends an endpoint nothing more of other people's events when %s",
  async (how) => {
    const { api, clock, admin, narrow } = await prepare()
    const id = await addEndpoint(api, { token: admin.token })
    const path = `/api/webhooks/${id}`
    const [sent = '', ownSent = ''] = [
      ...(await happened(api.ctx, newId(), 1)),
      ...(await happened(api.ctx, admin.userId, 1)),
    ]
    await relay(api)
    const claimed = await claimDeliveries(api.ctx, { limit: 9, perEndpoint: 9, leaseMs: 60_000 })
    const result = resultOf({ startedAt: clock.now() })
    const attempts = claimed.map((delivery) => ({ delivery, result }))
    expect(await recordAttempts(api.ctx, attempts)).toBe(2)
    await change(api, { token: admin.token }, id, { status: 'paused' })
    const [waiting = '', ownWaiting = ''] = [
      ...(await happened(api.ctx, newId(), 1)),
      ...(await happened(api.ctx, admin.userId, 1)),
    ]
    await relay(api)
    expect(await pendingOf(api, id)).toEqual([waiting, ownWaiting])

    if (how.startsWith('a key')) await change(api, narrow, id, { url: `${URL}/elsewhere` })
    else await changeRoles(api.ctx, { id: admin.userId }, { revoke: ['admin'] })
    expect(await pendingOf(api, id)).toEqual([ownWaiting])
    clock.advance(3_000)
    await change(api, narrow, id, { status: 'active' })

    const deliveryOf = async (eventId: string) => {
      const { body } = await api.ask('GET', `${path}/deliveries`, narrow)
      const all = body.deliveries as { id: string; eventId: string }[]
      return all.find((one) => one.eventId === eventId)?.id
    }
    const resend = async (eventId: string) =>
      api.ask('POST', `${path}/deliveries/${await deliveryOf(eventId)}/resend`, narrow)
    expect(await resend(sent)).toMatchObject(refusal(403, 'forbidden'))
    expect(await resend(waiting)).toMatchObject(refusal(403, 'forbidden'))
    expect(await resend(ownSent)).toMatchObject({ status: 202 })
    const everything = { since: LONG_AGO, status: ['exhausted', 'cancelled', 'delivered'] }
    const body = { ...everything, includeUndelivered: true }
    const replayed = await api.ask('POST', `${path}/replay`, { ...narrow, body })
    expect(replayed.body.replay).toMatchObject({ deliveries: 0, undelivered: 0, replayed: 0 })
    expect((await pendingOf(api, id)).toSorted()).toEqual([ownSent, ownWaiting].toSorted())
  },
)

test("sends an endpoint nothing of other people's events that a worker holds when it is changed", async () => {
  const { api, admin, narrow } = await prepare()
  const id = await addEndpoint(api, { token: admin.token })
  const events = [
    ...(await happened(api.ctx, newId(), 2)),
    ...(await happened(api.ctx, admin.userId, 1)),
  ]
  const held = { limit: 100, capacity: 100, leaseMs: 60_000 }
  const { deliveries } = await relayInto(api.ctx, held)
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(events)
  await change(api, narrow, id, { url: `${URL}/elsewhere` })
  const result = failureOf(500)
  const attempts = deliveries.map((delivery) => ({ delivery, result }))
  expect(await recordAttempts(api.ctx, attempts)).toBe(1)
  expect(await pendingOf(api, id)).toEqual(events.slice(2))
})

test("sends an endpoint nothing of other people's events that are relayed while it is changed", async () => {
  const { api, admin, narrow } = await prepare()
  const id = await addEndpoint(api, { token: admin.token })
  await happened(api.ctx, newId(), 30)
  const relaying = Promise.all(Array.from({ length: 30 }, () => relayEvents(api.ctx, { limit: 1 })))
  await change(api, narrow, id, { url: `${URL}/elsewhere` })
  await relaying
  await relayEvents(api.ctx)
  expect(await pendingOf(api, id)).toEqual([])
})
