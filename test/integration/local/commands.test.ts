import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { run as migrate } from '../../../src/commands/migrate.ts'
import { run as reconcile } from '../../../src/commands/reconcile/main.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { runCommand } from '../../support/command.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { runProgram } from '../../support/program.ts'
import { createWorld } from '../../support/world.ts'

const environmentOf = (databaseUrl: string, env: Record<string, string> = {}) =>
  halfEnvironment({ databaseUrl, rpcUrl: 'http://127.0.0.1:9', env })

/** Occupies a port of this machine. */
const takenPort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const at = server.address()
  return String(typeof at === 'object' && at !== null ? at.port : 0)
}

test.each([
  ['src/commands/server.ts'],
  ['worker/main.ts'],
  ['src/commands/admin.ts', 'grant', 'ada@example.org'],
  ['src/commands/reconcile/main.ts'],
])(
  '%s does not start with a SECRET that is not the one of the database',
  async (script, ...words) => {
    const world = await createWorld()
    await loadSigningKeys(world.ctx)
    const env = environmentOf(world.url, { SECRET: 'a secret of another database, long enough' })
    const ended = await runProgram(script, env, words).ended
    expect(ended.errors).toMatch(
      /^Wrong setting: SECRET is not the SECRET of this database, .* SECRET_PREVIOUS must be .*\n$/,
    )
    expect(ended.code).toBeGreaterThan(0)
  },
)

test.each([
  ['admin', admin, ['grant', 'ada@example.org'], 'There is no such user.\n'],
  [
    'reconcile',
    reconcile,
    [],
    'Chain 31337 has never been followed here: start the service first.\n',
  ],
])(
  '%s runs with the settings of a service that serves metrics',
  async (_name, command, words, answer) => {
    const world = await createWorld()
    const env = environmentOf(world.url, { METRICS_PORT: await takenPort() })
    expect((await runCommand(command, words, env)).errors).toBe(answer)
  },
)

test.each(['--dry-run', 'now'])('npm run migrate -- %s changes nothing', async (word) => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:9/nowhere' }
  const ended =
    word === 'now'
      ? await runProgram('src/commands/migrate.ts', env, [word]).ended
      : await runCommand(migrate, [word], env)
  expect(ended).toMatchObject({
    code: 1,
    out: '',
    errors: 'Usage: npm run migrate. It takes no options: DATABASE_URL names the database.\n',
  })
})
