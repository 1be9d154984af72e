import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { migrateQueue } from '../../src/queue/index.ts'

export type OwnPostgresOptions = {
  /** Where its data lies. Default: a new folder, gone when the test is over. */
  dataDir?: string
  settings?: Record<string, string>
}

/** A migrated Postgres of a test's own, durable as in production, that can go away and come back. */
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
    /** Ends it as an administrator does: all connections are closed. */
    stop: () => server.stop(),
    async restart() {
      server = await start(server.port)
    },
    /** SIGKILL to the postmaster, as the kernel's out-of-memory killer would, then a new start. */
    async killAndRestart() {
      process.kill(server.pid, 'SIGKILL')
      await hasEnded.promise
      server = await start(server.port)
    },
  }
}
