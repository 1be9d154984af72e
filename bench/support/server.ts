import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { appRoleOf } from '../../src/db/app-role.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { isAlive } from '../../src/local/processes.ts'
import { endLeftover } from '../../src/local/server.ts'
import { migrateQueue } from '../../src/queue/index.ts'
import type { Cleanup } from './cleanup.ts'
import type { Options } from './options.ts'
import { cpuOfFamily } from './processor-time.ts'

export type Statement = { text: string; calls: number; totalMs: number }

/** A real, durable Postgres for the run. */
export type BenchServer = {
  /** A folder for logs and other files, which is removed after the run. */
  folder: string
  version: string
  /** Creates a migrated database. */
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>
  /** Vacuums a database, and gathers planner statistics unless `--no-autovacuum` forbids them. */
  analyze(databaseUrl: string): Promise<void>
  /** Reads all indexes into memory, because they are there in a server that has run for a while. */
  warm(databaseUrl: string): Promise<void>
  /**
   * The processor time that Postgres has used so far in seconds, or null if the system does not
   * report it.
   */
  cpuS(): number | null
  /** Makes a checkpoint, so that every window has the same time until the next one. */
  checkpoint(): Promise<void>
  /** Resets the counters of statements. */
  resetStatements(): Promise<void>
  /** The statements of the service's role in a database since the reset, slowest first. */
  statements(databaseUrl: string): Promise<Statement[]>
}

const PREFIX = 'fundproof-bench-'
const TEMPLATE = 'bench_template'

/** Settings as in production, and the extension of Postgres that counts statements. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '1000',
  // The indexes of 1 000 000 donations fit into this memory, as docs/runbook/5-deploy.md advises.
  shared_buffers: '2GB',
}

export const startServer = async (
  cleanup: Cleanup,
  { autovacuum }: Pick<Options, 'autovacuum'>,
): Promise<BenchServer> => {
  await removeLeftovers()
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startPostgres({
    dataDir: folder,
    log: createLog('warn', 'bench'),
    settings: { ...SETTINGS, autovacuum: autovacuum ? 'on' : 'off' },
  })
  cleanup.add(() => server.stop())
  const admin = postgres(withDatabase(server.url, 'postgres'), { max: 2, onnotice: () => {} })
  cleanup.add(() => admin.end({ timeout: 1 }))
  await admin`create extension pg_stat_statements`
  await admin.unsafe(`create database ${TEMPLATE}`)
  await migrate(withDatabase(server.url, TEMPLATE))
  await migrateQueue(withDatabase(server.url, TEMPLATE))
  const pidFile = join(folder, 'postgres', 'data', 'postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const [row] = await admin<{ version: string }[]>`
    select current_setting('server_version') as version`
  return {
    folder,
    version: row?.version ?? '',
    async createDatabase() {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await admin.unsafe(`create database ${name} template ${TEMPLATE}`)
      return {
        url: withDatabase(server.url, name),
        drop: async () => {
          await admin.unsafe(`drop database if exists ${name} with (force)`)
        },
      }
    },
    async analyze(databaseUrl) {
      const owner = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      await (autovacuum ? owner`vacuum (analyze)` : owner`vacuum`)
      await owner.end({ timeout: 1 })
    },
    async warm(databaseUrl) {
      const owner = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      await owner`create extension if not exists pg_prewarm`
      await owner`
        select pg_prewarm(oid) from pg_class
        where relkind = 'i' and relnamespace = 'public'::regnamespace`
      await owner.end({ timeout: 1 })
    },
    cpuS: () => cpuOfFamily(postmaster),
    checkpoint: async () => {
      await admin`checkpoint`
    },
    resetStatements: async () => {
      await admin`select pg_stat_statements_reset()`
    },
    statements: (databaseUrl) => admin<Statement[]>`
      select regexp_replace(query, '[[:space:]]+', ' ', 'g') as text, calls::int,
             total_exec_time as "totalMs"
      from pg_stat_statements
      join pg_database on pg_database.oid = dbid
      join pg_roles on pg_roles.oid = userid
      where datname = ${new URL(databaseUrl).pathname.slice(1)} and rolname = ${appRoleOf(databaseUrl)}
      order by total_exec_time desc`,
  }
}

const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** Stops and removes the servers of killed runs. */
const removeLeftovers = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length))
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    await endLeftover(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  }
}
