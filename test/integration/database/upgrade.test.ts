import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { readChain } from '../../../src/domain/blocks/index.ts'
import { emit } from '../../../src/outbox/emit.ts'
import { call, signUp } from '../../support/api-user.ts'
import { address } from '../../support/chain-facts.ts'
import { startHalf } from '../../support/halves.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { atLeast, including, waitFor } from '../../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'
import { verified } from '../events/support/happenings.ts'
import { nextVersion } from './support/next-version.ts'

/** Opens a pool on the world's database, as another process does. */
const open = (url: string) => {
  const pool = createDatabase({ url, max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

/** Lists the tables that a migration of this database has locked, or waits for. */
const tablesOf = async (sql: Queryable, state: 'held' | 'awaited'): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select relation::regclass::text as name
    from pg_locks join pg_stat_activity using (pid)
    where application_name = 'fundproof migrate' and datname = current_database()
      and mode = 'AccessExclusiveLock' and relation is not null and granted = ${state === 'held'}`
  return rows.map(({ name }) => name)
}

const hasNextVersion = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql`select to_regclass('next_thing') is not null as has`
  return row?.has === true
}

test('a migration gives its tables back when it meets a process that waits for one of them', async () => {
  const { url, ctx } = await createWorld()
  const holds = Promise.withResolvers<void>()
  const mayAsk = Promise.withResolvers<void>()
  // This transaction holds a lock that the migration needs late, and asks for one that the
  // migration has.
  const working = open(url).begin(async (sql) => {
    await sql`lock table webhook_endpoint in row exclusive mode`
    holds.resolve()
    await mayAsk.promise
    return await sql`select from campaign`
  })
  await holds.promise
  const migrating = migrate(url, { folder: nextVersion() })
  await waitFor(
    'the migration to wait for the late table',
    () => tablesOf(ctx.sql, 'awaited'),
    including('webhook_endpoint'),
  )
  mayAsk.resolve()
  expect(await working).toHaveLength(0)
  await migrating
  expect(await hasNextVersion(ctx.sql)).toBe(true)
})

test('a migration lets requests through while a table stays in use, and names the table in the end', async () => {
  const { url, ctx } = await createWorld()
  const folder = nextVersion()
  const holds = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const backup = open(url).begin(async (sql) => {
    await sql`lock table donation in access share mode`
    holds.resolve()
    await mayEnd.promise
  })
  await holds.promise
  await expect(migrate(url, { folder, maxTries: 1 })).rejects.toThrow(
    'The table donation stays in use',
  )
  const migrating = migrate(url, { folder })
  await waitFor(
    'the migration to wait for that table alone',
    async () => [await tablesOf(ctx.sql, 'held'), await tablesOf(ctx.sql, 'awaited')],
    ([held, awaited]) => held?.length === 0 && awaited?.[0] === 'donation',
  )
  expect(await ctx.sql`select from donation`).toHaveLength(0)
  expect(await hasNextVersion(ctx.sql)).toBe(false)
  mayEnd.resolve()
  await backup
  await migrating
  expect(await hasNextVersion(ctx.sql)).toBe(true)
})

test('a transaction that reads a table as it was before a migration runs again, and succeeds', async () => {
  const { url, ctx } = await createWorld()
  const pool = createDatabase({ url, max: 1 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const read = () =>
    withTransaction({ ...ctx, sql: pool, pool }, ({ sql }) => sql`select * from campaign_total`)
  await read()
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  await owner`alter table campaign_total add column next_note text`
  await owner.end({ timeout: 1 })
  expect(await read()).toHaveLength(0)
})

const NEWER = 'newer schema than this version'

describe.skipIf(!hasAnvil)('an API and a worker whose database a newer version migrates', () => {
  test('serve until then, say so once, are not ready, and take no more work', async () => {
    const [chain, { url, ctx }] = await Promise.all([startTestChain(), createWorld()])
    const places = { databaseUrl: url, rpcUrl: chain.url }
    const [api, worker] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    const { token, userId } = await signUp(api.port, 'ada')
    const stream = await fetch(`http://127.0.0.1:${api.port}/api/events/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const refused = Promise.withResolvers<void>()
    const statuses = new Set<number>()
    let created = 0
    const client = async (name: string): Promise<void> => {
      for (let count = 0; !statuses.has(503); count++) {
        const { status } = await call(api.port, 'POST', '/api/campaigns', {
          token,
          body: {
            title: 'Wells',
            description: 'Clean water',
            target_amount: 50,
            ledger_account: address(`${name} ${count}`),
          },
        })
        statuses.add(status)
        if (status === 201) created += 1
        const list = await call(api.port, 'GET', '/api/campaigns', { token })
        statuses.add(list.status)
        await chain.mine()
      }
      refused.resolve()
    }
    const clients = Promise.all(['one', 'two', 'three'].map(client))
    await waitFor('requests to be served', () => created, atLeast(6))
    await migrate(url, { folder: nextVersion() })
    await refused.promise
    await clients
    expect([...statuses].toSorted()).toEqual([200, 201, 503])

    expect(await stream.text()).toContain(': ')
    expect((await call(api.port, 'GET', '/healthz')).status).toBe(200)
    const ready = await call(api.port, 'GET', '/readyz')
    expect(ready.status).toBe(503)
    expect(ready.body.details).toEqual([
      { path: 'schema', message: expect.stringMatching(/^newer than this version/) },
    ])

    await waitFor(
      'the worker to give up its work',
      async () => ({
        leases: await ctx.sql`select from chain_state where lease_owner is not null`,
        queue: await ctx.sql`
          select from pg_stat_activity
          where datname = current_database() and application_name = 'fundproof-queue-worker'`,
      }),
      ({ leases, queue }) => leases.length === 0 && queue.length === 0,
    )
    const cursor = (await readChain(ctx, TEST_CHAIN.id))?.cursor
    await emit(ctx, [verified(userId)])
    await chain.mine(5)
    worker.kill('SIGTERM')
    api.kill('SIGTERM')
    expect([await worker.exited, await api.exited]).toEqual([0, 0])
    expect((await readChain(ctx, TEST_CHAIN.id))?.cursor).toEqual(cursor)
    expect(await ctx.sql`select from unrelayed_event`).toHaveLength(1)
    for (const { lines } of [api, worker]) {
      expect(lines.filter((line) => line.includes(NEWER))).toHaveLength(1)
    }
  })
})
