import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { isUnavailable } from '../../src/db/errors.ts'
import { createTestDatabase } from '../support/database.ts'
import { isFull } from '../support/full.ts'
import { waitFor } from '../support/wait-for.ts'

const CLIENTS = 12
const KILLS = isFull ? 60 : 15

/** `wrong` collects all errors except those about an unavailable database. */
type Seen = { answered: number; lost: number; wrong: string[] }

const attempt = async (seen: Seen, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
    seen.answered++
  } catch (error) {
    seen.lost++
    if (!isUnavailable(error)) seen.wrong.push(String(error))
  }
}

/** Sends a number, and checks that the answer belongs to this question. */
const ask = async (seen: Seen, sql: Database, k: number) => {
  const [row] = await sql<{ k: number }[]>`select ${k}::int as k`
  if (row?.k !== k) seen.wrong.push(`${row?.k} for ${k}`)
}

test('connections that are killed all the time lose only what they had in hand', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false, name: 'owner' })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`create table pair (k int, place int)`
  await owner`grant all on pair to fundproof_app`
  const pool = createDatabase({ url, max: 6, name: 'victim' })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const seen: Seen = { answered: 0, lost: 0, wrong: [] }
  let over = false
  let last = 0

  const client = async (): Promise<void> => {
    while (!over) {
      const k = ++last
      await attempt(seen, () => ask(seen, pool, k))
      await attempt(seen, () =>
        pool.begin(async (sql) => {
          await sql`insert into pair values (${k}, 1)`
          // The work ignores this error, so only the driver can prevent the next statements.
          await sql`select pg_sleep(0.002)`.catch(() => {})
          await delay(1)
          await Promise.all([
            sql`insert into pair values (${k}, 2)`,
            sql`insert into pair values (${k}, 3)`,
          ])
        }),
      )
    }
  }

  const clients = Array.from({ length: CLIENTS }, client)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = seen.answered
    await waitFor(
      'some more to be answered',
      () => seen.answered,
      (answered) => answered >= before + (kill % CLIENTS),
    )
    await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'victim'
        and hashint4(pid + ${kill}) % 3 <> 0`
  }
  over = true
  // All clients end, so no statement hangs.
  await Promise.all(clients)
  expect(seen.wrong).toEqual([])
  expect(seen.answered).toBeGreaterThan(KILLS)
  expect(seen.lost).toBeGreaterThan(KILLS / 2)
  const torn = await owner`
    select k, array_agg(place order by place) as places from pair
    group by k having array_agg(place order by place) <> '{1,2,3}'`
  expect(torn).toEqual([])
  // Afterwards, all statements succeed again.
  const calm: Seen = { answered: 0, lost: 0, wrong: [] }
  await Promise.all(Array.from({ length: 50 }, (_, k) => attempt(calm, () => ask(calm, pool, k))))
  expect(calm).toEqual({ answered: 50, lost: 0, wrong: [] })
})
