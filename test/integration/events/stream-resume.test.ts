import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createAccessTokens } from '../../../src/auth/access-tokens.ts'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { startHalf } from '../../support/halves.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { createUser, createWorld, type World } from '../../support/world.ts'
import { createTestApi } from '../http/support/api.ts'
import { happened, idsOf, verified } from './support/happenings.ts'
import { openStreamAt, waitForEvents } from './support/stream-client.ts'

const WRITERS = 16

test('tells every event once over many reconnections, while writers commit late or not at all', async () => {
  const api = await createTestApi({ streams: { pollMs: 5 } })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const writing = writeAtRandom(api, userId)
  const received: string[] = []
  let lastEventId = ''
  let committed: string[] | undefined
  let connections = 0
  void writing.then((ids) => {
    committed = ids
  })
  await waitFor(
    'every event to be received',
    async () => {
      connections++
      const client = await openStreamAt(url, { token, ...(lastEventId ? { lastEventId } : {}) })
      const enough = received.length + 1 + Math.floor(Math.random() * 25)
      await waitFor(
        'a few events, or the last',
        () => received.length + client.events.length,
        (count) => count >= enough || count >= (committed?.length ?? Number.POSITIVE_INFINITY),
      )
      client.close()
      received.push(...client.ids())
      lastEventId = client.lastEventId()
      return received.length
    },
    (count) => count >= (committed?.length ?? Number.POSITIVE_INFINITY),
  )
  const all = await writing
  expect(received.toSorted()).toEqual(all.toSorted())
  expect(all.length).toBeGreaterThan(200)
  expect(connections).toBeGreaterThan(10)
})

test('goes on over a restart of the server without gap or double, and lets it end in time', async () => {
  const world = await createWorld()
  const options = { databaseUrl: world.url, rpcUrl: 'http://127.0.0.1:1' }
  const first = await startHalf('api', options)
  const { userId, roles } = await createUser(world.ctx)
  const token = await tokenFor(world, userId, roles)
  const before = await openStreamAt(`http://127.0.0.1:${first.port}`, { token })
  const ids = await happened(world.ctx, userId, 20)
  await waitForEvents(before, ids)
  const beganAt = performance.now()
  first.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  // The server ends the streams much earlier than it would cut open connections.
  expect(performance.now() - beganAt).toBeLessThan(2_900)
  expect(before.ended()).toBe('closed')

  const missed = await happened(world.ctx, userId, 20)
  const second = await startHalf('api', options)
  const after = await openStreamAt(`http://127.0.0.1:${second.port}`, {
    token,
    lastEventId: before.lastEventId(),
  })
  const further = await happened(world.ctx, userId, 5)
  await waitForEvents(after, further)
  expect([...before.ids(), ...after.ids()]).toEqual([...ids, ...missed, ...further])
})

test('a client that has had no event yet resumes where it began', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const first = await openStreamAt(url, { token })
  const lastEventId = await waitFor('a place to resume from', () => first.lastEventId(), Boolean)
  first.close()
  const ids = await happened(api.ctx, userId, 3)
  const second = await openStreamAt(url, { token, lastEventId })
  await waitForEvents(second, ids)
  expect(second.ids()).toEqual(ids)
})

test('misses no event that happens between reading the past and the first live event', async () => {
  let between: (() => Promise<void>) | undefined
  const api = await createTestApi({
    streams: { pollMs: 5 },
    deps: {
      context: (base) => ({
        ...api.ctx,
        sql: watched(api.ctx.sql, async () => {
          const act = between
          between = undefined
          await act?.()
        }),
        ...base,
      }),
    },
  })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const witness = await openStreamAt(url, { token })
  const before = await happened(api.ctx, userId, 1)
  await waitForEvents(witness, before)
  let missable: string[] = []
  between = async () => {
    // The client's past is read now, and the live part has not begun. These events fall in between.
    missable = await happened(api.ctx, userId, 2)
    await waitForEvents(witness, missable)
  }
  const client = await openStreamAt(url, { token, query: `?after=${btoa('0.0')}` })
  await waitFor('something to happen in between', () => missable.length, exactly(2))
  const after = await happened(api.ctx, userId, 1)
  await waitForEvents(client, after)
  expect(client.ids()).toEqual([...before, ...missable, ...after])
})

test('many streams are served from memory: nothing is read for one of them alone', async () => {
  let reads = 0
  const api = await createTestApi({
    streams: { pollMs: 20, maxPerUser: 100, maxPerAddress: 100 },
    deps: {
      context: (base) => ({
        ...api.ctx,
        sql: watched(api.ctx.sql, async () => {
          reads++
        }),
        ...base,
      }),
    },
  })
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const clients = await Promise.all(Array.from({ length: 40 }, () => openStreamAt(url, { token })))
  const first = await happened(api.ctx, userId, 1)
  for (const client of clients) await waitForEvents(client, first)
  // Each stream has read its own past to the end, and then once more.
  expect(reads).toBeGreaterThanOrEqual(80)
  const before = reads
  for (let times = 0; times < 10; times++) {
    const ids = await happened(api.ctx, userId, 1)
    for (const client of clients) await waitForEvents(client, ids)
  }
  expect(reads).toBe(before)
})

/** Wraps a database connection: `afterPage` runs after each page of the feed was read. */
const watched = (sql: Queryable, afterPage: () => Promise<void>): Queryable =>
  new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const query: unknown = Reflect.apply(target as unknown as () => unknown, self, args)
      const [first] = args
      if (!Array.isArray(first) || !first.join('').includes('scanned as materialized')) return query
      return Promise.resolve(query).then(async (rows) => {
        await afterPage()
        return rows
      })
    },
  })

/**
 * Writes events in transactions that stay open for random times. One in five rolls back. Returns
 * the committed events.
 */
const writeAtRandom = async (world: World, userId: string): Promise<string[]> => {
  const pool = createDatabase({ url: world.url, max: WRITERS, name: 'writers' })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const ctx: Context = { ...world.ctx, sql: pool, pool }
  const write = async (): Promise<void> => {
    for (let turn = 0; turn < 15; turn++) {
      const work = withTransaction(ctx, async (ctx) => {
        await emit(ctx, [verified(userId)])
        await delay(Math.random() * 60)
        await emit(ctx, [verified(userId)])
        if (Math.random() < 0.2) throw new Error('given up')
      })
      await work.catch((error: unknown) => {
        if (!(error instanceof Error && error.message === 'given up')) throw error
      })
      await delay(Math.random() * 60)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return idsOf(await world.ctx.sql<{ id: string }[]>`select id from event`)
}

const tokenFor = (world: World, userId: string, roles: readonly string[]): Promise<string> =>
  createAccessTokens({
    issuer: 'http://localhost:0',
    audience: 'sandbox',
    clock: world.ctx.clock,
    loadKeys: () => loadSigningKeys(world.ctx),
  }).issue({ userId, sessionId: userId, roles, verified: true })
