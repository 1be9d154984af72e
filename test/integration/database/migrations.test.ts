import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'

test('refuses a database from before the first release, and leaves it as it is', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`update drizzle.__drizzle_migrations set created_at = created_at - 10 * 86400000::bigint`
  await owner`drop table campaign_cover`
  await expect(migrate(url)).rejects.toThrow(
    'The database is from before the first release and cannot be migrated: create a new database.',
  )
  expect(await owner`select to_regclass('campaign_cover') as it`).toEqual([{ it: null }])
})

test('refuses the database of another program, and leaves it as it is', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`drop schema drizzle cascade`
  await owner`drop schema public cascade`
  await owner`create schema public`
  await owner`create table customer (id int)`
  const tables = () =>
    owner`select relname from pg_class where relnamespace = 'public'::regnamespace`
  await expect(migrate(url)).rejects.toThrow(
    'The database has the table customer of another program',
  )
  expect(await tables()).toEqual([{ relname: 'customer' }])
  await owner`drop table customer`
  await migrate(url)
  expect((await tables()).length).toBeGreaterThan(40)
})

test('gathers statistics of tables that have rows and none, and leaves others as they are', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  const read = () => owner<{ name: string; rows: number }[]>`
    select relname as name, reltuples::int as rows from pg_class
    where relname in ('donation', 'rate_limit')
      and exists (select from pg_stats where tablename = relname)`
  await owner`
    insert into rate_limit (key, window_start, taken)
    select i, i, 1 from generate_series(1, 1000) as i`
  expect(await read()).toEqual([])
  await migrate(url)
  expect(await read()).toEqual([{ name: 'rate_limit', rows: 1_000 }])
  await owner`delete from rate_limit where window_start > 500`
  await migrate(url)
  expect(await read()).toEqual([{ name: 'rate_limit', rows: 1_000 }])
})
