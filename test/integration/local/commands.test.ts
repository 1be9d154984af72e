import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

/** A port that another process of this machine listens on. */
const takenPort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const at = server.address()
  return String(typeof at === 'object' && at !== null ? at.port : 0)
}

test.each([
  [['src/commands/server.ts']],
  [['worker/main.ts']],
  [['src/commands/admin.ts', 'grant', 'ada@example.org']],
  [['src/reconcile/main.ts']],
])('%s does not start with a SECRET that is not the one of the database', async (command) => {
  const world = await createWorld()
  await loadSigningKeys(world.ctx)
  const ended = run(world.url, command, { SECRET: 'a secret of another database, long enough' })
  expect(ended.stderr).toBe(
    'Wrong setting: SECRET is not the SECRET of this database, so its signing keys cannot be opened.\n',
  )
  expect(ended.status).toBeGreaterThan(0)
})

test.each([
  [['src/commands/admin.ts', 'grant', 'ada@example.org'], 'There is no such user.\n'],
  [
    ['src/reconcile/main.ts'],
    'Chain 31337 has never been followed here: start the service first.\n',
  ],
])('%s runs with the settings of a service that serves metrics', async (command, answer) => {
  const world = await createWorld()
  const ended = run(world.url, command, { METRICS_PORT: await takenPort() })
  expect(ended.stderr).toBe(answer)
})

test.each(['--help', '--dry-run', 'now'])('npm run migrate -- %s changes nothing', async (word) => {
  const ended = run('postgres://127.0.0.1:9/nowhere', ['src/commands/migrate.ts', word])
  expect(ended).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Usage: npm run migrate. It takes no options: DATABASE_URL names the database.\n',
  })
})
