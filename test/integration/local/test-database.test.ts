import postgres from 'postgres'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait-for.ts'

test('gives each test a migrated database of its own, and takes it away again', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  expect(one.url).not.toBe(two.url)
  const sql = postgres(one.url, { max: 1 })
  expect(await sql`select to_regclass('donation')::text as found`).toEqual([{ found: 'donation' }])
  const ended = sql`select pg_sleep(60)`.catch((error: Error) => error.message)
  const watcher = postgres(one.url, { max: 1 })
  await waitFor(
    'the statement at work',
    () => watcher`
      select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'
        and datname = current_database()`,
    (sleeping) => sleeping.length === 1,
  )
  await watcher.end({ timeout: 1 })
  await Promise.all([one.drop(), two.drop()])
  expect(await ended).toMatch(/terminat|CONNECTION/i)
  await sql.end({ timeout: 1 })
})
