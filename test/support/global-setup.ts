import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { isAlive } from '../../src/local/processes.ts'
import { endLeftover } from '../../src/local/server.ts'
import { migrateQueue } from '../../src/queue/index.ts'
import { ADMIN_DATABASE, TEMPLATE, withDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's Postgres, in its maintenance database. */
    postgresUrl: string
  }
}

const PREFIX = 'fundproof-test-'
const MEMORY = '/dev/shm'
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Starts one Postgres for the whole run, in a folder of its own and without fsync, and migrates
 * the template from which `createTestDatabase` copies. Returns what ends it.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  for (const base of [tmpdir(), MEMORY]) await removeLeftovers(base)
  const folder = join(baseFolder(), `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const server = await startPostgres({
    dataDir: folder,
    log: createLog(process.env.TEST_LOG_LEVEL ?? 'warn', 'test'),
    durable: false,
    settings: {
      ...{ max_connections: '400', shared_buffers: '128MB', max_wal_size: '256MB' },
      // It would change plans in the middle of a test that takes long on a busy machine.
      autovacuum: 'off',
    },
  })
  const end = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await createTemplate(server.url)
  } catch (error) {
    await end()
    throw error
  }
  project.provide('postgresUrl', withDatabase(server.url, ADMIN_DATABASE))
  return end
}

const createTemplate = async (url: string): Promise<void> => {
  const sql = postgres(withDatabase(url, ADMIN_DATABASE), { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(`CREATE DATABASE ${TEMPLATE}`)
    await migrate(withDatabase(url, TEMPLATE))
    await migrateQueue(withDatabase(url, TEMPLATE))
    // It can have no connections while it is copied.
    await sql.unsafe(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A copy of the template is 300 files: 45 ms in memory, 400 ms on a slow disk. */
const baseFolder = (): string => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir()
}

/** Ends and removes what killed runs have left behind. */
const removeLeftovers = async (base: string): Promise<void> => {
  if (!existsSync(base)) return
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length))
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    const folder = join(base, name)
    await endLeftover(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  }
}
