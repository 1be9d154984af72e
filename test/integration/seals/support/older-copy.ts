import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { createDatabase } from '../../../../src/db/client.ts'
import type { Clock } from '../../../../src/kernel/ports/clock.ts'
import { ADMIN_DATABASE, createTestDatabase, withDatabase } from '../../../support/database.ts'
import { createContext } from '../../../support/world.ts'

/** Copies the database in its present state, as a backup that a test restores later. */
export const copyNow = async (url: string, clock: Clock) => {
  const admin = postgres(withDatabase(url, ADMIN_DATABASE), { max: 1, onnotice: () => {} })
  await admin`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = ${new URL(url).pathname.slice(1)}`
  await admin.end()
  const database = await createTestDatabase({ url, drop: async () => {} })
  const pool = createDatabase({ url: database.url, max: 2, name: 'test' })
  onTestFinished(async () => {
    await pool.end({ timeout: 1 })
    await database.drop()
  })
  return { url: database.url, ...(await createContext(pool, { clock })) }
}
