import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { PROCESS_ENV, type Program, startProgram } from './program.ts'
import { waitFor } from './wait-for.ts'
import { TEST_CHAIN } from './world.ts'

const SCRIPTS = { api: 'src/commands/server.ts', worker: 'worker/main.ts' } as const
/** A start takes two seconds, but far longer on a busy machine. */
const START_TIMEOUT_MS = 90_000

/** The API or the worker in a process, as in production. A worker has the port 0. */
export type Half = Program & { port: number }

export type HalfOptions = {
  databaseUrl: string
  rpcUrl: string
  /** Further environment variables. */
  env?: Record<string, string>
}

/** The environment variables of the API or the worker for a test's database and chain. */
export const halfEnvironment = (options: HalfOptions): Record<string, string> => ({
  ...PROCESS_ENV,
  DATABASE_URL: options.databaseUrl,
  DATA_DIR: join(tmpdir(), 'fundproof-data'),
  SECRET: 'a secret that only tests know, long enough',
  PORT: '0',
  LOG_LEVEL: 'info',
  RATE_LIMIT_ANONYMOUS: '0',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_LOGIN: '0',
  PRICES: JSON.stringify({ 'ETH/USDC': '2500' }),
  CHAINS: JSON.stringify([
    { ...TEST_CHAIN, name: 'test', rpc: [options.rpcUrl], startBlock: 0, pollIntervalMs: 100 },
  ]),
  ...options.env,
})

/**
 * Starts the API or the worker, and waits until it is ready. The process is killed after the test.
 */
export const startHalf = async (
  half: 'api' | 'worker',
  options: HalfOptions,
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Half> => {
  const program = startProgram(SCRIPTS[half], halfEnvironment(options))
  const { lines, exited, hasEnded, kill } = program
  atEnd(async () => {
    kill('SIGKILL')
    await exited
  })
  const ready = half === 'api' ? '"listening"' : '"working"'
  const line = await waitFor(
    `the ${half} to start`,
    () => lines.find((one) => one.includes(ready)) ?? (hasEnded() ? 'ended' : undefined),
    Boolean,
    START_TIMEOUT_MS,
  )
  if (line === 'ended' && (await exited) !== 'SIGKILL') {
    throw new Error(`The ${half} did not start:\n${lines.join('\n')}`)
  }
  const port = half === 'api' ? Number((JSON.parse(line ?? '{}') as { port: number }).port) : 0
  return { ...program, port }
}
