import { onTestFinished } from 'vitest'
import { createDatabase, type Database } from '../../../../src/db/client.ts'
import { checkLedger, checkSeals } from '../../../../src/domain/books/index.ts'
import { minedAt } from '../../../support/chain-facts.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts'

/** Copies a database that has no connections. Removes the copy after the test. */
export const copyDatabase = async (original: TestDatabase | undefined) => {
  const database = await createTestDatabase(original)
  const pool = createDatabase({ url: database.url, max: 2, name: 'test' })
  const owner = createDatabase({ url: database.url, max: 1, asAppRole: false })
  onTestFinished(async () => {
    await Promise.all([pool.end({ timeout: 1 }), owner.end({ timeout: 1 })])
    await database.drop()
  })
  const clock = createFakeClock(minedAt(1_000))
  return { url: database.url, pool, clock, ...handsOn(pool, owner, clock) }
}

const handsOn = (pool: Database, owner: Database, clock: FakeClock) => ({
  /** Runs statements as the database's owner, without triggers, foreign keys and constraints. */
  async tamper(...statements: string[]): Promise<void> {
    await owner.unsafe('set session_replication_role = replica')
    for (const statement of statements) await owner.unsafe(statement)
  },
  /** Lists the differences that `npm run check` finds. */
  async found(): Promise<string[]> {
    const { differences } = await checkLedger(pool, clock)
    const seals = await checkSeals(pool)
    return [...differences, ...seals.differences].map(({ what, id }) => `${what} ${id}`).sort()
  },
})
