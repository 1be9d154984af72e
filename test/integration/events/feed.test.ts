import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { BEGINNING, readFeed } from '../../../src/domain/events/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit, type NewEvent } from '../../../src/outbox/emit.ts'
import { atLeast, including, waitFor } from '../../support/wait-for.ts'
import { createUser, createWorld, type World } from '../../support/world.ts'
import { createApiWithUser, createTestApi, type TestApi } from '../http/support/api.ts'
import { happened, idsOf, readAll, verified } from './support/happenings.ts'

type FeedBody = { events: { id: string; event: string }[]; nextCursor: string; hasMore: boolean }

const ask = async (api: TestApi, token: string, query = ''): Promise<FeedBody> => {
  const answer = await api.ask('GET', `/api/events${query}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as FeedBody
}

/**
 * Waits until the feed has this number of events. The feed holds events back while an older
 * transaction runs in the cluster, and other tests have such transactions.
 */
const askFor = (api: TestApi, token: string, count: number, query = ''): Promise<FeedBody> =>
  waitFor(
    `${count} events in the feed`,
    () => ask(api, token, query),
    ({ events }) => events.length >= count,
  )

test('shows the oldest events first, each as webhooks get it, and the cursor to go on from', async () => {
  const { api, userId, token } = await createApiWithUser()
  const ids = await happened(api.ctx, userId, 5)
  await askFor(api, token, 5)
  const first = await ask(api, token, '?limit=3')
  expect(idsOf(first.events)).toEqual(ids.slice(0, 3))
  expect(first.hasMore).toBe(true)
  const second = await ask(api, token, `?limit=3&after=${first.nextCursor}`)
  expect(idsOf(second.events)).toEqual(ids.slice(3))
  expect(second.hasMore).toBe(false)
  const empty = await ask(api, token, `?after=${second.nextCursor}`)
  expect(empty).toMatchObject({ events: [], hasMore: false, nextCursor: second.nextCursor })
  const later = await happened(api.ctx, userId, 1)
  expect(idsOf((await askFor(api, token, 1, `?after=${empty.nextCursor}`)).events)).toEqual(later)

  const whole = await api.ask('GET', '/api/events', { token })
  const stored = await api.ctx.sql<{ body: string }[]>`select event.body from event order by seq`
  expect(whole.text).toContain(`[${stored.map(({ body }) => body).join(',')}]`)
})

test('ends a page early where its events are long, and leaves out none', async () => {
  const { api, userId, token } = await createApiWithUser()
  const audience = [userId]
  const filled = (characters: number): NewEvent => ({
    ...{ type: 'impact.verified', campaignId: null, audience },
    data: {
      campaignId: userId,
      verifiers: audience,
      evidence: [{ type: 'x'.repeat(characters), url: '', timestamp: '' }],
      verifiedAt: new Date().toISOString(),
    },
  })
  const [long, longest] = [filled(300_000), filled(900_000)]
  await emit(api.ctx, [long, long, long, longest, long, longest])
  const stored = await api.ctx.sql<{ id: string }[]>`select id from event order by seq`
  await askFor(api, token, 2)
  const pages: string[][] = []
  let after = ''
  for (let more = true; more && pages.length < 10; ) {
    const page = await ask(api, token, `?event=impact.verified${after}`)
    pages.push(idsOf(page.events))
    after = `&after=${page.nextCursor}`
    more = page.hasMore
  }
  expect(pages.map((ids) => ids.length)).toEqual([2, 1, 1, 1, 1])
  expect(pages.flat()).toEqual(idsOf(stored))
})

test('goes on from now where it is asked to', async () => {
  const { api, userId, token } = await createApiWithUser()
  await happened(api.ctx, userId, 2)
  await askFor(api, token, 2)
  const start = await ask(api, token, '?from=now')
  expect(start.events).toEqual([])
  const ids = await happened(api.ctx, userId, 2)
  expect(idsOf((await askFor(api, token, 2, `?after=${start.nextCursor}`)).events)).toEqual(ids)
})

test('filters by type and campaign, and a poller passes what the filter leaves out', async () => {
  const { api, userId, token } = await createApiWithUser()
  const campaignId = newId()
  await happened(api.ctx, userId, 3)
  await emit(api.ctx, [
    {
      type: 'campaign.updated',
      campaignId,
      audience: [userId],
      data: {
        campaignId,
        changes: ['title'],
        status: 'active',
        updatedAt: new Date().toISOString(),
      },
    },
  ])
  await happened(api.ctx, userId, 1)
  await askFor(api, token, 5)
  const updated = await ask(api, token, '?event=campaign.updated&event=campaign.funded')
  expect(updated.events.map(({ event }) => event)).toEqual(['campaign.updated'])
  const whole = await ask(api, token)
  expect(updated.nextCursor).toBe(whole.nextCursor)
  expect((await ask(api, token, `?campaignId=${campaignId}`)).events).toEqual(updated.events)
  expect((await ask(api, token, `?campaignId=${newId()}`)).events).toEqual([])
  const many = await ask(api, token, '?event=user.verified&limit=2')
  expect([many.events.length, many.hasMore]).toEqual([2, true])
  for (const query of ['?event=nothing', '?event=', '?limit=101', '?from=then', '?campaignId=x']) {
    expect((await api.ask('GET', `/api/events${query}`, { token })).body.code).toBe('invalid_input')
  }
  for (const cursor of ['x', btoa('1.2.3'), btoa(`${2n ** 64n}.1`), btoa(`1.${2n ** 63n}`)]) {
    const refused = await api.ask('GET', `/api/events?after=${cursor}`, { token })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor'])
  }
})

test('shows users their own events, administrators all events, and test events to no user', async () => {
  const api = await createTestApi()
  const [one, other] = [await api.signIn(), await api.signIn()]
  const admin = await api.signIn({ roles: ['admin'] })
  const ofOne = await happened(api.ctx, one.userId, 2)
  const ofBoth = await happened(api.ctx, [one.userId, other.userId, one.userId], 1)
  await api.ask('POST', '/api/webhooks', {
    token: one.token,
    body: { url: 'http://127.0.0.1:3999/hook' },
  })
  const sent = await api.ask('POST', '/api/sandbox/event', {
    token: one.token,
    body: { event: 'user.verified' },
  })
  expect(sent.status).toBe(201)
  await askFor(api, admin.token, 3)
  expect(idsOf((await ask(api, one.token)).events)).toEqual([...ofOne, ...ofBoth])
  expect(idsOf((await ask(api, other.token)).events)).toEqual(ofBoth)
  expect(idsOf((await ask(api, admin.token)).events)).toEqual([...ofOne, ...ofBoth])
  expect((await api.ask('GET', '/api/events')).status).toBe(401)
})

test('shows an event of a transaction that commits late after the events that were read before', async () => {
  const world = await createWorld()
  const user = await createUser(world.ctx)
  const late = await holdOpen(world.ctx, user.userId)
  const [early = ''] = await happened(world.ctx, user.userId, 1)
  const first = await readAll(world.as(user))
  expect(idsOf(first.events)).toEqual([])
  late.commit()
  await late.done
  const rest = await waitFor(
    'both to be received',
    () => readAll(world.as(user), first.next),
    ({ events }) => events.length === 2,
  )
  expect(idsOf(rest.events)).toEqual([...late.ids, early])
})

test('waits for no transaction of another database of the cluster', async () => {
  const world = await createWorld()
  const user = await createUser(world.ctx)
  const other = await createWorld()
  const stranger = await createUser(other.ctx)
  const elsewhere = await holdOpen(other.ctx, stranger.userId)
  await happened(other.ctx, stranger.userId, 1)
  const [id] = await happened(world.ctx, user.userId, 1)
  await waitFor(
    'the event',
    async () => idsOf((await readAll(world.as(user))).events),
    including(id ?? ''),
  )
  expect(idsOf((await readAll(other.as(stranger))).events)).toEqual([])
  elsewhere.commit()
  await elsewhere.done
})

test('read to its end while 64 writers commit late or not at all, has every event once', async () => {
  const { world, user, write } = await crowd()
  const received: string[] = []
  const writing = write()
  let over = false
  void writing.then(() => {
    over = true
  })
  let next: Awaited<ReturnType<typeof readAll>>['next'] | undefined
  for (let last = false; !last; ) {
    last = over
    const page = await readAll(world.as(user), next)
    received.push(...idsOf(page.events))
    next = page.next
    await delay(1)
  }
  const committed = await writing
  await waitFor(
    'the rest to be received',
    async () => {
      const page = await readAll(world.as(user), next)
      received.push(...idsOf(page.events))
      next = page.next
      return received.length
    },
    atLeast(committed.length),
  )
  expect(committed.length).toBeGreaterThan(500)
  expect(received.toSorted()).toEqual(committed.toSorted())
})

test('by their numbers alone, a reader beside the same 64 writers would miss events', async () => {
  const { world, write } = await crowd()
  const received: string[] = []
  const writing = write()
  let over = false
  void writing.then(() => {
    over = true
  })
  let after = 0
  for (let last = false; !last; ) {
    last = over
    const rows = await world.ctx.sql<{ id: string; seq: number }[]>`
      select id, seq from event where seq > ${after} order by seq`
    received.push(...idsOf(rows))
    after = rows.at(-1)?.seq ?? after
    await delay(1)
  }
  const committed = await writing
  expect(received.length).toBeLessThan(committed.length)
})

test('reads no more than its page, however many events other users have', async () => {
  const world = await createWorld()
  const user = await createUser(world.ctx)
  const other = newId()
  await world.ctx.sql`
    with written as (
      insert into event (id, type, audience, packed, created_at)
      select gen_random_uuid(), 'user.verified',
             array[case when i % 100 = 0 then ${user.userId}::uuid else ${other}::uuid end],
             '{"id":"' || i || '"}', now()
      from generate_series(1, 30000) i returning tx, seq, audience
    )
    insert into event_audience (user_id, tx, seq)
    select unnest(audience), tx, seq from written`
  await waitFor(
    'the feed to have them',
    () => readAll(world.as(user)),
    ({ events }) => events.length === 300,
  )
  const readBy = (actor: Actor) =>
    withTransaction(world.as(actor), async (ctx) => {
      const before = await readSoFar(ctx)
      const { items } = await readFeed(ctx, { after: BEGINNING, filter: {}, limit: 50 })
      expect(items).toHaveLength(50)
      const after = await readSoFar(ctx)
      return { scanned: after.scanned - before.scanned, found: after.found - before.found }
    })
  for (const actor of [user, { ...user, roles: ['admin'] }]) {
    const { scanned, found } = await readBy(actor)
    expect(scanned).toBe(0)
    expect(found).toBeGreaterThan(50)
    expect(found).toBeLessThan(250)
  }
})

/** Counts the rows of the feed's tables that this connection has read, by scans and by indexes. */
const readSoFar = async ({ sql }: Context): Promise<{ scanned: number; found: number }> => {
  const [row] = await sql<{ scanned: number; found: number }[]>`
    select sum(seq_tup_read)::int as scanned, sum(idx_tup_fetch)::int as found
    from pg_stat_xact_user_tables where relname in ('event', 'event_audience')`
  return row ?? { scanned: 0, found: 0 }
}

test('begins anew after a dump was restored into a younger cluster, and refuses cursors of before', async () => {
  const { api, userId, token } = await createApiWithUser()
  const ids = await happened(api.ctx, userId, 3)
  await api.ctx.sql`update event set tx = (1000000000000 + seq)::text::xid8`
  await api.ctx.sql`update event_audience set tx = (1000000000000 + seq)::text::xid8`
  await migrate(api.url)
  const later = await happened(api.ctx, userId, 2)
  const whole = await askFor(api, token, 5)
  expect(idsOf(whole.events)).toEqual([...ids, ...later])
  for (const path of ['/api/events', '/api/events/stream']) {
    const refused = await api.ask('GET', `${path}?after=${btoa('1000000000003.3')}`, { token })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor'])
  }
})

/** Starts a transaction that has written one event, and that commits when the test allows it. */
const holdOpen = async (ctx: Context, userId: string) => {
  const open = Promise.withResolvers<string[]>()
  const { promise: allowed, resolve: commit } = Promise.withResolvers<void>()
  const done = withTransaction(ctx, async (ctx) => {
    await emit(ctx, [verified(userId)])
    const rows = await ctx.sql<{ id: string }[]>`select id from event order by seq desc limit 1`
    open.resolve(idsOf(rows))
    await allowed
  })
  return { ids: await open.promise, commit, done }
}

const WRITERS = 64
const TRANSACTIONS = 12

/** 64 connections that write events, and commit after random times. One in five rolls back. */
const crowd = async (): Promise<{
  world: World
  user: Awaited<ReturnType<typeof createUser>>
  write(): Promise<string[]>
}> => {
  const world = await createWorld()
  const user = await createUser(world.ctx)
  const pool = createDatabase({ url: world.url, max: WRITERS, name: 'writers' })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const ctx = { ...world.ctx, sql: pool, pool }
  const writer = async (): Promise<void> => {
    for (let turn = 0; turn < TRANSACTIONS; turn++) {
      const work = withTransaction(ctx, async (ctx) => {
        await emit(ctx, [verified(user.userId)])
        await delay(Math.random() * 30)
        await emit(ctx, [verified(user.userId)])
        await delay(Math.random() * 10)
        if (Math.random() < 0.2) throw new Error('given up')
      })
      await work.catch((error: unknown) => {
        if (!(error instanceof Error && error.message === 'given up')) throw error
      })
    }
  }
  const write = async (): Promise<string[]> => {
    await Promise.all(Array.from({ length: WRITERS }, writer))
    return idsOf(await world.ctx.sql<{ id: string }[]>`select id from event`)
  }
  return { world, user, write }
}
