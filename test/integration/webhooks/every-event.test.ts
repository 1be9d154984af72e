import { expect, test } from 'vitest'
import { exampleEventData } from '../../../src/api/openapi/webhooks.ts'
import {
  CreateEndpoint,
  changeEndpoint,
  createEndpoint,
  getEndpoint,
  replayDeliveries,
  sendTest,
} from '../../../src/domain/events/index.ts'
import { sendTestEvent } from '../../../src/domain/service/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { openWorld, type World } from './support/world.ts'

const URL = 'http://127.0.0.1:3999/hook'

/** Writes an event of a type that a later version will send. */
const emitComing = async ({ sql }: World, userId: string): Promise<void> => {
  await sql`
    with written as (
      insert into event (id, type, audience, packed, created_at)
      values (${newId()}, 'pledge.made', ${[userId]}::uuid[], '{}', now()) returning tx, seq
    ), waiting as (
      insert into unrelayed_event (seq) select seq from written
    )
    insert into event_audience (user_id, tx, seq) select ${userId}::uuid, tx, seq from written`
}

const typesFor = async ({ sql }: World, endpointId: string): Promise<string[]> => {
  const rows = await sql<{ type: string }[]>`
    select event_type as type from webhook_delivery where endpoint_id = ${endpointId}
    order by event_seq`
  return rows.map(({ type }) => type)
}

const start = async () => {
  const world = await openWorld()
  const userId = await world.addUser()
  return { world, userId, ctx: world.as(userId) }
}

test('an endpoint for "*" gets every event of its owner, also of types to come', async () => {
  const { world, userId, ctx } = await start()
  const input = CreateEndpoint.parse({ url: URL, events: ['donation.failed', '*', '*'] })
  const every = await createEndpoint(ctx, input)
  expect((await getEndpoint(ctx, every.id)).events).toEqual(['*'])
  const named = await createEndpoint(ctx, { url: URL, events: ['campaign.updated'] })
  const stranger = await createEndpoint(world.as(await world.addUser()), {
    url: URL,
    events: ['*'],
  })
  await world.emitEvents(userId, 1)
  const data = exampleEventData('campaign.updated')
  await emit(ctx, [
    { type: 'campaign.updated', campaignId: null, audience: [userId], data } as never,
  ])
  await emitComing(world, userId)
  await world.relayAll()
  expect(await typesFor(world, every.id)).toEqual([
    'user.verified',
    'campaign.updated',
    'pledge.made',
  ])
  expect(await typesFor(world, named.id)).toEqual(['campaign.updated'])
  expect(await typesFor(world, stranger.id)).toEqual([])
})

test('an endpoint that changes to "*" can have what it never had, and all that failed', async () => {
  const { world, userId, ctx } = await start()
  const { id } = await createEndpoint(ctx, { url: URL, events: ['donation.failed'] })
  await world.emitEvents(userId, 2)
  await emitComing(world, userId)
  await world.relayAll()
  await changeEndpoint(ctx, id, { events: ['*'] })
  const since = new Date(Date.now() - 60_000)
  const input = { since, status: ['exhausted' as const], includeUndelivered: true, dryRun: false }
  expect(await replayDeliveries(ctx, id, input)).toMatchObject({ undelivered: 3, replayed: 3 })
  await world.sql`update webhook_delivery set status = 'exhausted'`
  expect(await replayDeliveries(ctx, id, input)).toMatchObject({ deliveries: 3, replayed: 3 })
  await world.sql`update webhook_delivery set status = 'exhausted'`
  const some = { ...input, events: ['user.verified' as const] }
  expect(await replayDeliveries(ctx, id, some)).toMatchObject({ deliveries: 2, replayed: 2 })
})

test('an endpoint for "*" gets test events of any type', async () => {
  const { ctx } = await start()
  const { id } = await createEndpoint(ctx, { url: URL, events: ['*'] })
  const event = 'milestone.released'
  const sent = await sendTestEvent(ctx, { event, data: exampleEventData(event) })
  expect(sent.endpoints).toEqual([id])
  expect((await sendTest(ctx, id, { sampleOf: exampleEventData })).event).toBe('donation.completed')
})
