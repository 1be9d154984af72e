import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { startHalf } from '../support/halves.ts'
import { freePort, scrape } from '../support/metrics-scrape.ts'
import { newFolder } from '../support/new-folder.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { waitFor } from '../support/wait-for.ts'

test('the numbers of a worker come back when the database has a new password', async () => {
  const postgres = await startOwnPostgres()
  const file = join(newFolder(), 'url')
  writeFileSync(file, postgres.url)
  const port = await freePort()
  const env = { DATABASE_URL_FILE: file, METRICS_PORT: String(port) }
  await startHalf('worker', { databaseUrl: '', rpcUrl: 'http://127.0.0.1:9', env })
  const collectors = async () => {
    const found = [...(await scrape(port))].filter(([name]) => name.startsWith('fundproof_coll'))
    return found.map(([, value]) => value)
  }
  const areAll = (up: number) => (values: number[]) =>
    values.length > 0 && values.every((value) => value === up)
  await waitFor('the numbers', collectors, areAll(1))
  const owner = createDatabase({ url: postgres.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`alter role fundproof password 'other'`
  writeFileSync(file, Object.assign(new URL(postgres.url), { password: 'other' }).href)
  const ended = await owner<{ pid: number }[]>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  const left = () => owner`
    select from pg_stat_activity where pid = any(${ended.map(({ pid }) => pid)}::int[])`
  await waitFor('the connections to end', left, ({ length }) => length === 0)
  // Repeats the scrape, because one scrape may show cached numbers.
  const again = async () => {
    await collectors()
    return owner`select from pg_stat_activity where application_name = 'fundproof statistics'`
  }
  await waitFor('the statistics to connect again', again, ({ length }) => length > 0)
  await waitFor('the numbers to come back', collectors, areAll(1))
  expect(await collectors()).not.toContain(0)
}, 120_000)
