import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { waitFor } from './wait-for.ts'
import { TEST_CHAIN } from './world.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCRIPTS = { api: 'src/commands/server.ts', worker: 'worker/main.ts' } as const

/** A half of the service as its own process, as production runs it. */
export type Half = {
  pid: number
  /** What it wrote to its standard output, line by line. */
  lines: string[]
  /** Of an API. */
  port: number
  /** The signal or exit code it ended with. */
  exited: Promise<NodeJS.Signals | number | null>
  kill(signal: NodeJS.Signals): void
  /** Closes the pipes of its output, as a log collector that ends does. */
  stopReading(): void
}

export type HalfOptions = {
  databaseUrl: string
  rpcUrl: string
  /** Further environment variables. */
  env?: Record<string, string>
}

/** The variables that a half needs to run on a test's database and chain. */
export const halfEnvironment = (options: HalfOptions): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  DATABASE_URL: options.databaseUrl,
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

/** Starts a half and waits until it says that it is at work. Killed when the test is over. */
export const startHalf = async (half: 'api' | 'worker', options: HalfOptions): Promise<Half> => {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, SCRIPTS[half])], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: halfEnvironment(options),
  })
  const lines: string[] = []
  let rest = ''
  const read = (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  let ended = false
  const exited = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true
      resolve(signal ?? code)
    })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const ready = half === 'api' ? '"listening"' : '"working"'
  const line = await waitFor(
    `the ${half} to start`,
    () => lines.find((one) => one.includes(ready)) ?? (ended ? 'ended' : undefined),
    (found) => found !== undefined,
  )
  if (line === 'ended' && (await exited) !== 'SIGKILL') {
    throw new Error(`The ${half} did not start:\n${lines.join('\n')}`)
  }
  const port = half === 'api' ? Number((JSON.parse(line ?? '{}') as { port: number }).port) : 0
  return {
    pid: child.pid ?? 0,
    lines,
    port,
    exited,
    kill: (signal) => child.kill(signal),
    stopReading: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
  }
}
