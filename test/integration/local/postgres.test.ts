import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { StartError } from '../../../src/kernel/errors.ts'
import { type PostgresOptions, startPostgres } from '../../../src/local/postgres.ts'
import { isAlive } from '../../../src/local/processes.ts'
import { log, query, stopAfterTest, tempFolder } from './support/helpers.ts'

const start = async (dataDir: string, options: Partial<PostgresOptions> = {}) =>
  stopAfterTest(await startPostgres({ dataDir, log, durable: false, ...options }))

const isRoot = process.getuid?.() === 0

test('keeps its data over a restart, with durable settings by default', async () => {
  const dataDir = tempFolder()
  const first = await startPostgres({ dataDir, log })
  onTestFinished(() => first.stop())
  await query(first.url, 'create table kept (n int)', 'insert into kept values (7)')
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)

  const second = stopAfterTest(await startPostgres({ dataDir, log }))
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
  const settings = `select current_setting('fsync') as fsync, current_setting('data_checksums') as sums,
    current_setting('listen_addresses') as host, current_setting('server_encoding') as encoding`
  expect(await query(second.url, settings)).toEqual([
    { fsync: 'on', sums: 'on', host: '127.0.0.1', encoding: 'UTF8' },
  ])
  expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600)
})

test('ends within five seconds although clients are connected and busy', async () => {
  const server = await start(tempFolder())
  const sql = postgres(server.url, { max: 1 })
  onTestFinished(() => sql.end({ timeout: 0 }))
  const busy = sql`select pg_sleep(60)`.catch(() => 'ended')
  await vi.waitFor(async () => {
    const rows = await query(
      server.url,
      `select 1 from pg_stat_activity where wait_event = 'PgSleep'`,
    )
    expect(rows).toHaveLength(1)
  })
  const startedAtMs = Date.now()
  await server.stop()
  expect(Date.now() - startedAtMs).toBeLessThan(5_000)
  expect(await busy).toBe('ended')
})

test('refuses a second start on the same data while the first one lives, and names it', async () => {
  const dataDir = tempFolder()
  const first = await start(dataDir)
  const refusal = await start(dataDir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  expect(String(refusal)).toContain(`Another Fundproof (pid ${process.pid}) is already running`)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('reports a kill -9 of its server and starts again on what was committed', async () => {
  const dataDir = tempFolder()
  const onExit = vi.fn()
  const first = await start(dataDir, { onExit })
  await query(first.url, 'create table kept (n int)', 'insert into kept values (7)')
  process.kill(first.pid, 'SIGKILL')
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), 10_000)
  expect(onExit.mock.calls[0]?.[0]).toContain('SIGKILL')

  const second = await start(dataDir, { port: first.port })
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('says in one line that its port is taken, and lets go of the data', async () => {
  const stranger = createServer().listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const address = stranger.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const dataDir = tempFolder()
  await expect(start(dataDir, { port })).rejects.toThrow(
    new StartError(`The embedded Postgres did not start: port ${port} is taken.`),
  )
  await start(dataDir)
})

test("says in one line why it did not start, with the server's own last word", async () => {
  await expect(start(tempFolder(), { settings: { max_connections: 'many' } })).rejects.toThrow(
    /^The embedded Postgres did not start: FATAL: .*max_connections.*\.$/,
  )
})

describe.runIf(isRoot)('started by root in a folder that only root can enter', () => {
  test('runs as another user by one capability', async () => {
    const server = await start(tempFolder(0o700), { ways: ['direct', 'capability'] })
    expect(server.reach).toBe('capability')
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0)
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    // The server has only CAP_DAC_OVERRIDE, which is bit 1.
    expect(/^CapPrm:\s*(\w+)$/m.exec(status)?.[1]).toBe('0000000000000002')
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('without the capability, keeps its data in a folder which that user can reach, and finds it again', async () => {
    const dataDir = tempFolder(0o700)
    const hadCopies = existsSync('/var/lib/fundproof')
    const first = await start(dataDir, { ways: ['direct', 'copy'] })
    const copy = readFileSync(join(dataDir, 'postgres/moved-to'), 'utf8').trim()
    onTestFinished(() =>
      rmSync(hadCopies ? copy : '/var/lib/fundproof', { recursive: true, force: true }),
    )
    expect(first.reach).toBe('copy')
    await query(first.url, 'create table kept (n int)', 'insert into kept values (7)')
    await first.stop()
    const second = await start(dataDir)
    expect(second.reach).toBe('copy')
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    await second.stop()
  })

  test('without the capability and such a folder, says in one line what to do', async () => {
    await expect(start(tempFolder(0o700), { ways: ['direct'] })).rejects.toThrow(
      /^Postgres refuses to run as root, and .* cannot use .*DATA_DIR.*\.$/,
    )
  })
})
