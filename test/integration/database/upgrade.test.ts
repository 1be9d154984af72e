import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'
import { nextVersion } from './support/next-version.ts'

/** Another process on the world's database. */
const open = (url: string) => {
  const pool = createDatabase({ url, max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

/** The tables that a migration of this database holds, or waits for. */
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
  // It holds a table that the migration takes late, and asks for one that it takes early.
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
    (awaited) => awaited.includes('webhook_endpoint'),
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
