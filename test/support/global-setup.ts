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
    /** The URL of the maintenance database of the run's Postgres. */
    postgresUrl: string
  }
}

const PREFIX = 'fundproof-test-'
const MEMORY = '/dev/shm'
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Starts one Postgres for the whole run, in a new folder and without fsync. Migrates the template
 * for `createTestDatabase`. Returns a function that stops the server.
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
      // Autovacuum could change plans during a test, if the test takes long on a busy machine.
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
    // A database that is copied must have no connections.
    await sql.unsafe(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A copy of the template has 300 files: 45 ms in memory, 400 ms on a slow disk. */
const baseFolder = (): string => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir()
}

/** Stops and removes the servers of killed runs. */
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
