import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { migrateQueue } from '../../src/queue/index.ts'

export type OwnPostgresOptions = {
  /** The folder of the data. Default: a new folder, which is removed after the test. */
  dataDir?: string
  settings?: Record<string, string>
}

/**
 * Starts a migrated Postgres for one test, durable as in production, which the test can stop and
 * restart.
 */
export const startOwnPostgres = async (options: OwnPostgresOptions = {}) => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'fundproof-own-'))
  const log = createLog('silent', 'test')
  let hasEnded = Promise.withResolvers<void>()
  const start = (port?: number) => {
    hasEnded = Promise.withResolvers()
    const { settings = {} } = options
    return startPostgres({ dataDir, log, port, settings, onExit: () => hasEnded.resolve() })
  }
  let server = await start()
  onTestFinished(async () => {
    await server.stop()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  })
  await migrate(server.url)
  await migrateQueue(server.url)
  return {
    url: server.url,
    /** Stops the server as an administrator does, which closes all connections. */
    stop: () => server.stop(),
    async restart() {
      server = await start(server.port)
    },
    /**
     * Kills the postmaster with SIGKILL, as the kernel's out-of-memory killer would, and starts it
     * again.
     */
    async killAndRestart() {
      process.kill(server.pid, 'SIGKILL')
      await hasEnded.promise
      server = await start(server.port)
    },
  }
}
