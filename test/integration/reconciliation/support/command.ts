import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { TEST_CHAIN } from '../../../support/world.ts'

const ROOT = join(import.meta.dirname, '../../../..')

export type Ended = { code: number | NodeJS.Signals | null; out: string; errors: string }

/** `npm run reconcile`, or another command, as its own process, as an operator runs it. Killed when the test is over. */
export const startCommand = (
  where: { databaseUrl: string; rpcUrl: string },
  args: readonly string[],
  env: Record<string, string> = {},
  script = 'src/reconcile/main.ts',
) => {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: where.databaseUrl,
      SECRET: 'a secret that only tests know, long enough',
      PRICES: JSON.stringify({ 'ETH/USDC': '2500', 'USDC/USD': '1', 'ETH/USD': '2500' }),
      CHAINS: JSON.stringify([
        { ...TEST_CHAIN, name: 'test', rpc: [where.rpcUrl], startBlock: 0, pollIntervalMs: 100 },
      ]),
      ...env,
    },
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8')
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: signal ?? code, out, errors }))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ended, errors: () => errors, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}
