import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { type ClaimedDelivery, claimDeliveries } from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createDeliverWebhooksJob } from '../../../worker/delivery/deliver-webhooks.ts'
import { endLeases, relayEvents } from '../../support/deliveries.ts'
import { atLeast, waitFor } from '../../support/wait-for.ts'
import { startReceiver } from './support/receiver.ts'
import {
  failureOf,
  openWorld,
  recordAll,
  resultOf,
  sandboxDeliverer,
  type World,
} from './support/world.ts'

const HOUR_MS = 3_600_000

let world: World
let userId: string
beforeEach(async () => {
  world = await openWorld()
  userId = await world.addUser()
})

const addOrderedEndpoint = async (url = 'https://hooks.example.com/') => {
  const { id } = await world.addEndpoint(userId, url)
  await world.sql`update webhook_endpoint set ordered = true where id = ${id}`
  return id
}

const claim = (limit = 100) =>
  claimDeliveries(world.ctx, { limit, perEndpoint: 8, leaseMs: 20_000 })
const eventsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ eventId }) => eventId)
const record = (claimed: readonly ClaimedDelivery[], result = resultOf({})) =>
  recordAll(world.ctx, claimed, result)

describe('ordered delivery', () => {
  test('has one delivery of each campaign under way, the oldest first', async () => {
    await addOrderedEndpoint()
    const [one, other] = [newId(), newId()]
    const ones = await world.emitEvents(userId, 3, one)
    const others = await world.emitEvents(userId, 2, other)
    await world.relayAll()
    const first = await claim()
    expect(eventsOf(first).sort()).toEqual([ones[0], others[0]].sort())
    expect(await claim()).toEqual([])

    await record(first.filter(({ eventId }) => eventId === ones[0]))
    const second = await claim()
    expect(eventsOf(second)).toEqual([ones[1]])
    await record(second)
    expect(eventsOf(await claim())).toEqual([ones[2]])
  })

  test('gives what belongs to no campaign its own way, several at a time', async () => {
    await addOrderedEndpoint()
    const campaign = newId()
    await world.emitEvents(userId, 2, campaign)
    const free = await world.happen(userId, 3)
    const claimed = eventsOf(await claim())
    expect(claimed).toHaveLength(4)
    expect(claimed).toEqual(expect.arrayContaining(free))
  })

  test('holds back what follows a failure, of that campaign only, until it is delivered', async () => {
    await addOrderedEndpoint()
    const [one, other] = [newId(), newId()]
    const ones = await world.emitEvents(userId, 2, one)
    const others = await world.emitEvents(userId, 2, other)
    await world.relayAll()
    const first = await claim()
    await record(
      first.filter(({ eventId }) => eventId === ones[0]),
      failureOf(500),
    )
    await record(first.filter(({ eventId }) => eventId === others[0]))
    const next = await claim()
    expect(eventsOf(next)).toEqual([others[1]])
    await record(next)
    expect(await claim()).toEqual([])
    world.clock.move(6_001)
    const again = await claim()
    expect(eventsOf(again)).toEqual([ones[0]])
    await record(again)
    expect(eventsOf(await claim())).toEqual([ones[1]])
  })

  test.each(['exhausted', 'cancelled'])('goes on after what is %s', async (status) => {
    await addOrderedEndpoint()
    const [first, second] = await world.emitEvents(userId, 2, newId())
    await world.relayAll()
    await record(await claim(), failureOf(500))
    expect(await claim()).toEqual([])
    await world.sql`
      update webhook_delivery set status = ${status}, next_attempt_at = null
      where event_id = ${first ?? ''}`
    expect(eventsOf(await claim())).toEqual([second])
  })

  test('goes on with the same one when the worker that had it is gone', async () => {
    await addOrderedEndpoint()
    const [first] = await world.emitEvents(userId, 2, newId())
    await world.relayAll()
    await claim()
    await endLeases(world.sql)
    expect(eventsOf(await claim())).toEqual([first])
  })

  test('waits while an older one that is sent again is not done, and while a newer one is under way', async () => {
    const endpointId = await addOrderedEndpoint()
    const [first, second, third] = await world.emitEvents(userId, 3, newId())
    await world.relayAll()
    await record(await claim())
    const under = await claim()
    expect(eventsOf(under)).toEqual([second])
    await world.sql`
      update webhook_delivery
      set status = 'pending', schedule_attempts = 0, next_attempt_at = ${world.clock.now()}
      where endpoint_id = ${endpointId} and event_id = ${first ?? ''}`
    expect(await claim()).toEqual([])
    await record(under)
    const again = await claim()
    expect(eventsOf(again)).toEqual([first])
    await record(again)
    expect(eventsOf(await claim())).toEqual([third])
  })

  test('lets no event overtake an earlier one that another worker is still relaying', async () => {
    await addOrderedEndpoint()
    const [first, second] = await world.emitEvents(userId, 2, newId())
    await withTransaction(world.ctx, async (ctx) => {
      await ctx.sql`
        select from unrelayed_event
        where seq = (select seq from event where id = ${first ?? ''}) for update`
      expect(await relayEvents(world.ctx, { limit: 10 })).toBe(1)
      expect(await claim()).toEqual([])
    })
    expect(await claim()).toEqual([])
    await world.relayAll()
    const claimed = await claim()
    expect(eventsOf(claimed)).toEqual([first])
    await record(claimed)
    expect(eventsOf(await claim())).toEqual([second])
  })

  test('does not hold up others behind a campaign that fails for hours', async () => {
    await addOrderedEndpoint()
    const failing = newId()
    await world.emitEvents(userId, 30, failing)
    await world.relayAll()
    for (let i = 0; i < 4; i++) {
      await record(await claim(), failureOf(500))
      world.clock.move(HOUR_MS)
    }
    const others = await world.emitEvents(userId, 1, newId())
    await world.relayAll()
    expect(eventsOf(await claim(2))).toEqual(expect.arrayContaining(others))
  })

  test('arrives in order, never two at once, however many workers share it', async () => {
    const campaigns = Array.from({ length: 5 }, () => newId())
    const arrived = new Map<string, string[]>()
    const underWay = new Map<string, number>()
    let overlaps = 0
    const campaignOf = new Map<string, string>()
    const receiver = await startReceiver((response, { headers }) => {
      const id = String(headers['webhook-id'])
      const campaign = campaignOf.get(id) ?? ''
      arrived.set(campaign, [...(arrived.get(campaign) ?? []), id])
      underWay.set(campaign, (underWay.get(campaign) ?? 0) + 1)
      if ((underWay.get(campaign) ?? 0) > 1) overlaps++
      setTimeout(() => {
        underWay.set(campaign, (underWay.get(campaign) ?? 0) - 1)
        response.end('ok')
      }, Math.random() * 4)
    })
    await addOrderedEndpoint(receiver.url)
    const expected = new Map<string, string[]>(campaigns.map((campaign) => [campaign, []]))
    for (let round = 0; round < 8; round++) {
      for (const campaign of campaigns) {
        const ids = await world.emitEvents(userId, 4, campaign)
        expected.get(campaign)?.push(...ids)
        for (const id of ids) campaignOf.set(id, campaign)
      }
    }
    const deliverer = () => sandboxDeliverer(world.clock)
    const jobs = [0, 1, 2].map(() =>
      createDeliverWebhooksJob(world.ctx, deliverer(), { sweepMs: 10 }),
    )
    for (const job of jobs) {
      job.start()
      onTestFinished(() => job.stop())
    }
    // Two relays share the events in small batches while the deliveries go on.
    const relay = async () => {
      while ((await relayEvents(world.ctx, { limit: 7 })) > 0);
    }
    await Promise.all([relay(), relay()])
    await waitFor('everything to arrive', () => receiver.received.length, atLeast(160))
    expect(overlaps).toBe(0)
    for (const campaign of campaigns) {
      expect(arrived.get(campaign)).toEqual(expected.get(campaign))
    }
  })
})
