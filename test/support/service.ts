import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRuntime } from '../../src/local/runtime.ts'
import { startProgram } from './program.ts'
import { waitFor } from './wait-for.ts'

/** The last line that `npm start` prints. */
export const LAST_LINE = 'npm run demo'
const START_TIMEOUT_MS = 150_000

/**
 * Starts the API, the worker, Postgres and the development chain with the seeded campaigns, as `npm
 * start` does, in a new folder and on free ports.
 */
export const startService = async (env: Record<string, string>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fundproof-service-'))
  const { output, exited, hasEnded, interrupt } = startProgram('src/commands/main.ts', {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...env,
  })
  const stop = async (): Promise<void> => {
    interrupt()
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await waitFor(
      'the service to start',
      output,
      (text) => text.includes(LAST_LINE) || hasEnded(),
      START_TIMEOUT_MS,
    )
    const runtime = readRuntime(dataDir)
    if (!runtime) throw new Error(`The service did not start:\n${output()}`)
    return { runtime, dataDir, output, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
