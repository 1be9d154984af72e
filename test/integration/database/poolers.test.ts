import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { run as migrate } from '../../../src/commands/migrate.ts'
import { createDatabase, openConnection } from '../../../src/db/client.ts'
import { assertSchema } from '../../../src/db/migrate.ts'
import { runCommand } from '../../support/command.ts'
import { hasDebianPostgres, startDebianPostgres } from '../../support/debian-postgres.ts'
import { startHalf } from '../../support/halves.ts'
import { makeOneDonation } from '../../support/one-donation.ts'
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'

const OWNER = 'bookkeeper'
const NO_DIRECT =
  'Wrong setting: DATABASE_URL names a pooler, which needs DATABASE_DIRECT_URL: the address of PostgreSQL itself.'
const TIMEOUT_MS = 240_000

/** A database whose owner may not create roles, prepared as the error says. Returns its URL. */
const createBooks = async () => {
  const server = await startDebianPostgres()
  onTestFinished(() => server.stop())
  await server.administer(`create role ${OWNER} login`)
  await server.administer(`create database books owner ${OWNER}`)
  const url = server.urlOf(OWNER, 'books')
  const refused = await runCommand(migrate, [], { DATABASE_URL: url })
  expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(/^The role "[^\n]+\n$/) })
  for (const [, statement] of refused.errors.matchAll(/`([^`]+)`/g)) {
    await server.administer(statement ?? '')
  }
  expect(await runCommand(migrate, [], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  return { server, url }
}

test.skipIf(!hasDebianPostgres || !hasAnvil)(
  'a donation is credited on PostgreSQL of Debian, whose owner may not create roles',
  async () => {
    const [{ url }, chain] = await Promise.all([createBooks(), startTestChain()])
    const places = { databaseUrl: url, rpcUrl: chain.url }
    const [api] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    await makeOneDonation(api.port, chain)
  },
  TIMEOUT_MS,
)

test.skipIf(!hasDebianPostgres || !hasPgBouncer || !hasAnvil)(
  'a donation is credited behind PgBouncer in transaction mode, with the database itself for sessions',
  async () => {
    const [{ server, url }, chain] = await Promise.all([createBooks(), startTestChain()])
    const bouncer = await startPgBouncer(server.port, OWNER)
    const env = { DATABASE_DIRECT_URL: url, METRICS_PORT: '' }
    const places = { databaseUrl: bouncer.urlOf('books'), rpcUrl: chain.url, env }
    const [api, worker] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
    await makeOneDonation(api.port, chain)
    expect(`${api.output()}${worker.output()}`).not.toMatch(/"level":(40|50|"warn"|"error")/)
  },
  TIMEOUT_MS,
)

test.skipIf(!hasDebianPostgres || !hasPgBouncer)(
  'each statement behind a pooler has the role and the limits of the service, and leaves none to others',
  async () => {
    const { server, url } = await createBooks()
    const bouncer = await startPgBouncer(server.port, OWNER, ['default_pool_size = 1'])
    const open = (options: object) => {
      const address = { url: bouncer.urlOf('books'), direct: { url } }
      const pool = createDatabase({ ...address, max: 2, ...options })
      onTestFinished(() => pool.end({ timeout: 1 }))
      return pool
    }
    const pool = open({ statementTimeoutMs: 300 })
    const asked =
      'select current_user::text as role, current_setting($1) as timeout, n from generate_series(1, 4) n'
    const expected = { role: `${OWNER}_app`, timeout: '300ms' }
    expect((await pool.unsafe(asked, ['statement_timeout']))[0]).toMatchObject(expected)
    await pool.begin(async (sql) => {
      expect((await sql.unsafe(asked, ['statement_timeout']))[0]).toMatchObject(expected)
    })
    for await (const rows of pool.unsafe(asked, ['statement_timeout']).cursor(2)) {
      expect(rows).toMatchObject([expected, expected])
    }
    await expect(pool`select pg_sleep(2)`).rejects.toMatchObject({ code: '57014' })
    await expect(pool`delete from ledger_entry`).rejects.toMatchObject({ code: '42501' })
    await expect(
      (async () => {
        for await (const _ of pool`select 1 / (3 - n) from generate_series(1, 4) n`.cursor(2));
      })(),
    ).rejects.toMatchObject({ code: '22012' })
    // The only session of the pooler serves another client, which sets nothing.
    const stranger = postgres(bouncer.urlOf('books'), {
      max: 1,
      prepare: false,
      fetch_types: false,
    })
    onTestFinished(() => stranger.end({ timeout: 1 }))
    expect(await stranger.unsafe(asked, ['statement_timeout'])).toMatchObject(
      Array(4).fill({ role: OWNER, timeout: '0' }),
    )
    const owner = open({ asAppRole: false })
    expect(await owner`select current_user::text as role`).toMatchObject([{ role: OWNER }])
    const session = openConnection(pool)
    onTestFinished(() => session.end({ timeout: 1 }))
    await session`select pg_advisory_lock(1)`
    const [held] =
      await session`select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
    expect(held).toEqual({ count: 1 })
  },
  TIMEOUT_MS,
)

test.skipIf(!hasDebianPostgres || !hasPgBouncer).each([
  ['refuses', []],
  [
    'ignores',
    [
      'ignore_startup_parameters = role, lock_timeout, statement_timeout, idle_in_transaction_session_timeout',
    ],
  ],
])(
  'a pooler that %s the settings of a session is refused in one line without DATABASE_DIRECT_URL',
  async (_how, settings) => {
    const { server } = await createBooks()
    const bouncer = await startPgBouncer(server.port, OWNER, settings)
    const env = { DATABASE_URL: bouncer.urlOf('books') }
    const migrated = await runCommand(migrate, [], env)
    expect(migrated).toMatchObject({ code: 1, errors: `${NO_DIRECT}\n` })
    const pool = createDatabase({ url: env.DATABASE_URL, max: 1 })
    onTestFinished(() => pool.end({ timeout: 1 }))
    await expect(assertSchema(pool)).rejects.toThrow(NO_DIRECT)
  },
  TIMEOUT_MS,
)
