import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run as check } from '../../../src/commands/check.ts'
import { run as migrate } from '../../../src/commands/migrate.ts'
import { createDatabase, type Database } from '../../../src/db/client.ts'
import { address, applyBlock, startChain, txHash } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import {
  type DebianPostgres,
  hasDebianPostgres,
  startDebianPostgres,
} from '../../support/debian-postgres.ts'
import { finalise } from '../../support/finalise.ts'
import { startHalf } from '../../support/halves.ts'
import { newFolder } from '../../support/new-folder.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createContext, createTestCampaign, createUser } from '../../support/world.ts'

const OWNER = 'bookkeeper'
const ACCOUNT = address('campaign')
const NO_PRIVILEGES = ['--no-owner', '--no-privileges', '--exit-on-error']
const NO_NODE = 'http://127.0.0.1:9'
/** Each test starts two clusters, which takes long. */
const TIMEOUT_MS = 240_000

/** A new cluster with an empty database. The owner is its only role beside the superuser. */
const createCluster = async (): Promise<{ server: DebianPostgres; url: string }> => {
  const server = await startDebianPostgres()
  onTestFinished(() => server.stop())
  await server.administer(`create role ${OWNER} login createrole`)
  await server.administer(`create database books owner ${OWNER}`)
  return { server, url: server.urlOf(OWNER, 'books') }
}

const open = (url: string): Database => {
  const pool = createDatabase({ url, max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

/** Records and credits one donation. */
const credit = async (pool: Database): Promise<void> => {
  const { ctx, as } = await createContext(pool)
  const creator = await createUser(ctx)
  const target = { creator, account: ACCOUNT, target: '50' }
  const campaignId = await createTestCampaign(ctx, target)
  await startChain(ctx)
  await recordGift(as(creator), campaignId, { hash: txHash('a'), from: ACCOUNT }, '10')
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(ctx, 1)
}

/** Lists the rights of the service's role on each table, view and sequence. */
const privileges = async (pool: Database): Promise<unknown[]> => [
  ...(await pool`
    select oid::regclass::text as name, has_schema_privilege(relnamespace, 'usage') as uses,
           case when relkind = 'S' then has_sequence_privilege(oid, 'select,update')
                else has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') end
             as adds,
           case when relkind <> 'S' then has_table_privilege(oid, 'update,delete,truncate') end
             as changes
    from pg_class
    where relnamespace::regnamespace::text in ('public', 'drizzle') and relkind in ('r', 'v', 'S')
    order by 1`),
]

const dumpOf = async (server: DebianPostgres, url: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o777)
  const file = join(folder, 'books.dump')
  const dumped = await server.run('pg_dump', ['--format=custom', `--file=${file}`, url])
  expect(dumped).toEqual({ ok: true, output: expect.any(String) })
  return file
}

test.skipIf(!hasDebianPostgres).each([
  ['', []],
  [' --no-owner --no-privileges --exit-on-error', NO_PRIVILEGES],
])(
  'serves from a new cluster after pg_restore%s and `npm run migrate`, with every right as before',
  async (_shown, options) => {
    const first = await createCluster()
    expect(await runCommand(migrate, [], { DATABASE_URL: first.url })).toMatchObject({ code: 0 })
    const original = open(first.url)
    await credit(original)
    const file = await dumpOf(first.server, first.url)

    const { server, url } = await createCluster()
    const restored = await server.run('pg_restore', [`--dbname=${url}`, ...options, file])
    // Without the options, pg_restore reports an error about rights of a missing role, and goes on.
    expect(restored.ok).toBe(options.length > 0)
    const env = { DATABASE_URL: url }
    expect((await runCommand(check, [], env)).errors).toContain('run `npm run migrate`')
    expect(await runCommand(migrate, [], env)).toMatchObject({ code: 0 })

    const pool = open(url)
    expect(await privileges(pool)).toEqual(await privileges(original))
    await expect(pool`update ledger_entry set amount = 1`).rejects.toMatchObject({ code: '42501' })
    expect(await runCommand(check, [], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 campaigns, 1 ledger entries'),
    })
    const api = await startHalf('api', { databaseUrl: url, rpcUrl: NO_NODE })
    expect((await fetch(`http://127.0.0.1:${api.port}/readyz`)).status).toBe(200)
  },
  TIMEOUT_MS,
)

test.skipIf(!hasDebianPostgres)(
  'a worker signs nothing on a dump that is older than the newest head that it has kept',
  async () => {
    const first = await createCluster()
    expect(await runCommand(migrate, [], { DATABASE_URL: first.url })).toMatchObject({ code: 0 })
    const original = open(first.url)
    const env = { DATA_DIR: newFolder() }
    const worker = await startHalf('worker', { databaseUrl: first.url, rpcUrl: NO_NODE, env })
    const file = await dumpOf(first.server, first.url)
    await credit(original)
    const sealed = await waitFor(
      'the head to be kept',
      () => worker.lines.find((line) => line.includes('"ledger sealed"')),
      Boolean,
    )
    worker.kill('SIGKILL')
    await worker.exited

    const { server, url } = await createCluster()
    const restored = server.run('pg_restore', [`--dbname=${url}`, ...NO_PRIVILEGES, file])
    expect(restored).toMatchObject({ ok: true })
    expect(await runCommand(migrate, [], { DATABASE_URL: url })).toMatchObject({ code: 0 })
    await credit(open(url))
    const later = await startHalf('worker', { databaseUrl: url, rpcUrl: NO_NODE, env })
    const noticed = await waitFor(
      'the restore to be noticed',
      () => later.lines.find((line) => line.includes('the database was restored')),
      Boolean,
    )
    const { head } = JSON.parse(sealed ?? '') as { head: string }
    expect(JSON.parse(noticed ?? '')).toMatchObject({ level: 'error', seq: 1, head })
    expect(await open(url)`select from ledger_seal`).toHaveLength(0)
  },
  TIMEOUT_MS,
)
