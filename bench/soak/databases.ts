import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { migrate } from '../../src/db/migrate.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { choosePostgresHost, findPostgres } from '../../src/local/postgres-host.ts'
import { freePort, runToEnd, type Server, startServer } from '../../src/local/server.ts'
import { migrateQueue } from '../../src/queue/index.ts'
import { killTree } from '../../test/support/debian-postgres.ts'
import type { Cleanup } from '../support/cleanup.ts'

/** A primary with a synchronous standby. The service finds the primary by its URL of two hosts. */
export type Pair = {
  /** The folder of the data and of the logs, which is removed after the run. */
  folder: string
  url: string
  /** The process id of the primary. */
  pid(): number
  /** Kills the primary, promotes the standby, and makes a new standby. Returns the seconds. */
  failOver(): Promise<number>
}

type Member = { data: string; port: number; server: Server }

const OWNER = 'fundproof'
const DATABASE = 'books'
const FOLLOW_STEPS = 300
const FOLLOW_STEP_MS = 100
/** The flags of the servers. The other settings are the defaults of PostgreSQL. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  wal_keep_size: '1GB',
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export const startPair = async (cleanup: Cleanup): Promise<Pair> => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fundproof-soak-')))
  const host = choosePostgresHost(home, findPostgres(), createLog('warn', 'soak'))
  cleanup.add(() => {
    for (const folder of [home, host.folder]) rmSync(folder, { recursive: true, force: true })
  })
  const run = (program: string, args: string[], input?: string): void => {
    const { ok, output } = runToEnd(host.command(program, args), input)
    if (!ok) throw new Error(`${program}: ${output}`)
  }
  const urlOf = (port: number, database = 'postgres', user = 'postgres') =>
    `postgres://${user}@127.0.0.1:${port}/${database}`
  const administer = async <T>(port: number, work: (sql: postgres.Sql) => Promise<T>) => {
    const sql = postgres(urlOf(port), { max: 1, onnotice: () => {} })
    return work(sql).finally(() => sql.end({ timeout: 1 }))
  }
  const start = async (data: string, port: number, more = {}): Promise<Member> => {
    const flags = Object.entries({ ...SETTINGS, ...more, port: String(port) })
    const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const server = await startServer(host.command('postgres', args), {
      name: 'The Postgres of the soak',
      ready: /database system is ready to accept (read-only )?connections/,
    })
    return { data, port, server }
  }
  let generation = 0
  const newData = () => join(host.folder, `data-${++generation}`)

  /** Copies a running primary by its own functions for backups, and follows it with the copy. */
  const addStandby = async (primary: Member, port: number): Promise<Member> => {
    const data = newData()
    const label = await administer(primary.port, async (sql) => {
      await sql`select pg_backup_start('soak', true)`
      // A temporary file may vanish while the files are copied, and is not needed.
      runToEnd(host.command('/bin/cp', ['-a', primary.data, data]))
      const [row] = await sql<{ label: string }[]>`
        select labelfile as label from pg_backup_stop(false)`
      return row?.label ?? ''
    })
    const prepare = 'rm "$0/postmaster.pid" && : > "$0/standby.signal" && cat > "$0/backup_label"'
    run('/bin/sh', ['-c', prepare, data], label)
    const follows = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
    const standby = await start(data, port, { primary_conninfo: follows })
    await administer(primary.port, async (sql) => {
      for (let step = 0; step < FOLLOW_STEPS; step++, await delay(FOLLOW_STEP_MS)) {
        const streaming = await sql`select from pg_stat_replication where state = 'streaming'`
        if (streaming.length > 0) break
      }
      await sql`alter system set synchronous_standby_names = 'standby'`
      await sql`select pg_reload_conf()`
    })
    return standby
  }

  const data = newData()
  run('initdb', [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8'])
  let primary = await start(data, await freePort())
  cleanup.add(() => primary.server.stop())
  await administer(primary.port, async (sql) => {
    await sql.unsafe(`create role ${OWNER} login createrole`)
    await sql.unsafe(`create database ${DATABASE} owner ${OWNER} template template0`)
  })
  await migrate(urlOf(primary.port, DATABASE, OWNER))
  await migrateQueue(urlOf(primary.port, DATABASE, OWNER))
  let standby = await addStandby(primary, await freePort())
  cleanup.add(() => standby.server.stop())
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    folder: home,
    url: `postgres://${OWNER}@${hosts}/${DATABASE}?target_session_attrs=read-write`,
    pid: () => primary.server.pid,
    async failOver() {
      const atMs = performance.now()
      const lost = primary
      killTree(lost.server.pid)
      await administer(standby.port, (sql) => sql`select pg_promote()`)
      const seconds = (performance.now() - atMs) / 1_000
      await lost.server.stop()
      rmSync(lost.data, { recursive: true, force: true })
      primary = standby
      standby = await addStandby(primary, lost.port)
      return seconds
    },
  }
}
