import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { run as check } from '../../../src/commands/check.ts'
import { run as reconcile } from '../../../src/commands/reconcile/main.ts'
import { startPostgres } from '../../../src/local/postgres.ts'
import { runCommand } from '../../support/command.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { runProgram } from '../../support/program.ts'
import { log } from './support/helpers.ts'

/** Starts a new cluster, in which even the role of the service is missing. */
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
  for (const [name, run] of [
    ['api', () => runProgram('src/commands/server.ts', env).ended],
    ['worker', () => runProgram('worker/main.ts', env).ended],
    ['check', () => runCommand(check, [], env)],
    ['admin', () => runCommand(admin, ['grant', 'ada@example.org'], env)],
    ['reconcile', () => runCommand(reconcile, [], env)],
  ] as const) {
    const { code, errors } = await run()
    expect([name, errors]).toEqual([
      name,
      'The role of the service is missing or lacks rights: run `npm run migrate`.\n',
    ])
    expect(code).toBeGreaterThan(0)
  }
}, 180_000)
