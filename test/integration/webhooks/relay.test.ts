import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { claimDeliveries, createEndpoint } from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { createWorld, type World } from './support/world.ts'

const URL = 'https://hooks.example.com/'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const eventsFor = async (endpointId: string): Promise<string[]> => {
  const rows = await world.sql<{ type: string }[]>`
    select event.type from webhook_delivery join event on event.id = event_id
    where endpoint_id = ${endpointId} order by event.seq`
  return rows.map(({ type }) => type)
}

describe('the relay', () => {
  test('sends events only to the users that they concern and to admins', async () => {
    const [owner, other, admin] = [
      await world.addUser(),
      await world.addUser(),
      await world.addUser(['admin']),
    ]
    const owners = await world.addEndpoint(owner, URL)
    const others = await world.addEndpoint(other, URL)
    const admins = await createEndpoint(world.as(admin, ['admin']), { url: URL })
    const unasked = await world.addEndpoint(owner, URL, ['donation.failed'])
    await world.emitEvents(owner, 2)
    expect(await world.relayAll()).toBe(2)
    expect(await eventsFor(owners.id)).toEqual(['user.verified', 'user.verified'])
    expect(await eventsFor(admins.id)).toEqual(['user.verified', 'user.verified'])
    expect(await eventsFor(others.id)).toEqual([])
    expect(await eventsFor(unasked.id)).toEqual([])
    expect(await world.relayAll()).toBe(0)
    expect(world.woken).toContain('deliveries')
  })

  test('keeps what happens for a paused endpoint, and nothing for a disabled one', async () => {
    const userId = await world.addUser()
    const paused = await world.addEndpoint(userId, URL)
    const disabled = await world.addEndpoint(userId, URL)
    await world.sql`update webhook_endpoint set status = 'paused' where id = ${paused.id}`
    await world.sql`update webhook_endpoint set status = 'disabled' where id = ${disabled.id}`
    await world.happen(userId, 2)
    expect(await eventsFor(paused.id)).toHaveLength(2)
    expect(await eventsFor(disabled.id)).toEqual([])
    const claimed = await claimDeliveries(world.ctx, {
      limit: 100,
      perEndpoint: 100,
      leaseMs: 1_000,
    })
    expect(claimed.filter(({ endpointId }) => endpointId === paused.id)).toEqual([])
  })

  test('tells deliveries their campaign and their place among its events', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    const campaignId = newId()
    await world.emitEvents(userId, 2, campaignId)
    await world.happen(userId, 1)
    const rows = await world.sql`
      select delivery.campaign_id, delivery.event_seq = event.seq as placed
      from webhook_delivery delivery join event on event.id = delivery.event_id
      where endpoint_id = ${id} order by event.seq`
    expect(rows).toEqual([
      { campaignId, placed: true },
      { campaignId, placed: true },
      { campaignId: null, placed: true },
    ])
  })

  test('goes through a backlog in bounded batches', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    await world.emitEvents(userId, 25)
    const counts = []
    for (let i = 0; i < 4; i++) counts.push(await relayEvents(world.ctx, { limit: 10 }))
    expect(counts).toEqual([10, 10, 5, 0])
    expect(await eventsFor(id)).toHaveLength(25)
  })

  test('loses no event and doubles none while 16 writers commit late', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, URL)
    const [perWriter, writers] = [40, 16]
    let writing = writers
    const write = async () => {
      for (let i = 0; i < perWriter; i++) {
        await withTransaction(world.ctx, async (ctx) => {
          const data = { userId, verifiedAt: new Date().toISOString() }
          await emit(ctx, [{ type: 'user.verified', data, audience: [userId], campaignId: null }])
          // The insert has taken its number. The pause lets other transactions with higher numbers
          // commit first.
          if (Math.random() < 0.3) await ctx.sql`select pg_sleep(random() * 0.01)`
        })
      }
      writing -= 1
    }
    const relay = async () => {
      for (;;) {
        const last = writing === 0
        const count = await relayEvents(world.ctx, { limit: 7 })
        if (last && count === 0) return
      }
    }
    await Promise.all([...Array.from({ length: writers }, write), relay(), relay()])
    expect(await eventsFor(id)).toHaveLength(perWriter * writers)
    const [left] = await world.sql`
      select count(*)::int as count from unrelayed_event`
    expect(left?.count).toBe(0)
  })
})
