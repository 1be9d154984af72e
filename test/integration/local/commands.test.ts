import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSigningKeys } from '../../../src/domain/user/index.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { createWorld } from '../../support/world.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A program of the service, run to its end as an operator runs it. */
const run = (databaseUrl: string, command: readonly string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    env: halfEnvironment({ databaseUrl, rpcUrl: 'http://127.0.0.1:9', env }),
    encoding: 'utf8',
    // A program that wrongly starts is ended, and then has no exit code.
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

test.each([
  [['src/server.ts']],
  [['worker/main.ts']],
  [['src/admin.ts', 'grant', 'ada@example.org']],
  [['src/reconcile/main.ts']],
])('%s does not start with a SECRET that is not the one of the database', async (command) => {
  const world = await createWorld()
  await loadSigningKeys(world.ctx)
  const ended = run(world.url, command, { SECRET: 'a secret of another database, long enough' })
  expect(ended.stderr).toBe(
    'Wrong setting: SECRET is not the one that this database was made with; its signing keys stay closed.\n',
  )
  expect(ended.status).toBeGreaterThan(0)
})
