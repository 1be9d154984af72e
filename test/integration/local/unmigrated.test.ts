import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../../src/local/postgres.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { log } from './support/helpers.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COMMANDS = [
  ['src/commands/server.ts'],
  ['worker/main.ts'],
  ['src/commands/check.ts'],
  ['src/commands/admin.ts', 'grant', 'ada@example.org'],
  ['src/reconcile/main.ts'],
]

/** A new cluster: not even the role of the service exists. */
const startEmptyPostgres = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fundproof-unmigrated-'))
  const server = await startPostgres({ dataDir, log, durable: false })
  onTestFinished(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return server
}

test('every command on a database that was never migrated says how to migrate it', async () => {
  const { url } = await startEmptyPostgres()
  const env = halfEnvironment({ databaseUrl: url, rpcUrl: 'http://127.0.0.1:9' })
  for (const command of COMMANDS) {
    const ended = spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' })
    expect([command[0], ended.stderr]).toEqual([
      command[0],
      'The role of the service is missing or lacks rights: run `npm run migrate`.\n',
    ])
    expect(ended.status).toBeGreaterThan(0)
  }
}, 180_000)
