import { beforeEach, describe, expect, test } from 'vitest'
import {
  claimDeliveries,
  pruneDeliveries,
  replayDeliveries,
} from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { openWorld, recordAll, resultOf, type World } from './support/world.ts'

const DAY_MS = 24 * 3_600_000

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const deliverAll = async () => {
  const claimed = await claimDeliveries(world.ctx, { limit: 100, perEndpoint: 100, leaseMs: 1_000 })
  await recordAll(world.ctx, claimed, resultOf({}))
}

const rowsOf = async (table: string): Promise<number> =>
  (
    await world.sql`
  select 1 from ${world.sql(table)}`
  ).length

describe('pruning', () => {
  test('removes events after 90 days with their deliveries, but none that still waits', async () => {
    const userId = await world.addUser()
    await world.addEndpoint(userId, 'https://hooks.example.com/')
    await world.happen(userId, 3)
    await deliverAll()
    await world.happen(userId, 1)
    const prune = createPruneJob(world.ctx)
    world.clock.move(89 * DAY_MS)
    await prune.run()
    expect(await rowsOf('event')).toBe(4)
    world.clock.move(2 * DAY_MS)
    await world.emitEvents(userId, 1)
    await prune.run()
    expect(await rowsOf('event')).toBe(2)
    expect(await rowsOf('event_audience')).toBe(2)
    expect(await rowsOf('webhook_delivery')).toBe(1)
  })

  test('removes finished deliveries before their events if the settings say so, and replays none of them', async () => {
    const { settings } = world.ctx
    const retention = { ...settings.retention, eventsMs: 365 * DAY_MS }
    const ctx = { ...world.ctx, settings: { ...settings, retention } }
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, 'https://hooks.example.com/')
    await world.happen(userId, 3)
    await deliverAll()
    const since = world.clock.now()
    world.clock.move(91 * DAY_MS)
    expect(await pruneDeliveries(ctx, 2)).toBe(2)
    await createPruneJob(ctx).run()
    expect(await rowsOf('webhook_delivery')).toBe(0)
    expect(await rowsOf('event')).toBe(3)
    expect(await rowsOf('event_audience')).toBe(3)
    const replay = {
      since,
      status: ['exhausted' as const],
      includeUndelivered: true,
      dryRun: false,
    }
    expect(
      await replayDeliveries({ ...ctx, actor: { kind: 'user', userId, roles: [] } }, id, replay),
    ).toMatchObject({ undelivered: 0, replayed: 0 })
    world.clock.move(275 * DAY_MS)
    await createPruneJob(ctx).run()
    expect(await rowsOf('event')).toBe(0)
  })

  test('removes what has expired, and only that', async () => {
    const userId = await world.addUser()
    const now = world.clock.now()
    const later = new Date(now.getTime() + 10 * DAY_MS)
    for (const [index, expiresAt] of [now, later].entries()) {
      const sessionId = newId()
      await world.sql`
        insert into session (id, user_id, created_at, expires_at)
        values (${sessionId}, ${userId}, ${now}, ${expiresAt})`
      await world.sql`
        insert into refresh_token (token_hash, session_id, created_at)
        values (${`hash-${index}`}, ${sessionId}, ${now})`
      await world.sql`
        insert into email_code (id, user_id, purpose, code_hash, attempts_left, expires_at,
                                created_at)
        values (${newId()}, ${userId}, 'verify_email', '', 5, ${expiresAt}, ${expiresAt})`
      await world.sql`
        insert into idempotency_key (caller, key, fingerprint, expires_at)
        values ('a caller', ${`key-${index}`}, '', ${expiresAt})`
    }
    world.clock.move(3 * DAY_MS)
    await createPruneJob(world.ctx).run()
    for (const table of ['session', 'refresh_token', 'email_code', 'idempotency_key']) {
      expect([table, await rowsOf(table)]).toEqual([table, 1])
    }
  })

  test('cancels what was fanned out while its endpoint was being switched off', async () => {
    const userId = await world.addUser()
    const { id } = await world.addEndpoint(userId, 'https://hooks.example.com/')
    await world.happen(userId, 2)
    await world.sql`update webhook_endpoint set status = 'disabled' where id = ${id}`
    await createPruneJob(world.ctx).run()
    const rows = await world.sql`select status from webhook_delivery`
    expect(rows).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }])
  })
})
