import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDevChain } from '../../../src/demo/dev-chain.ts'
import { DEV_TOKEN_ADDRESS } from '../../../src/local/dev-token.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { readRuntime } from '../../../src/local/runtime.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROOT = join(import.meta.dirname, '../../..')
const READY = 'Fundproof is ready'
const START_TIMEOUT_MS = 150_000

/** A service of a test's own, as `npm start` runs it. */
export type Stack = Awaited<ReturnType<typeof startStack>>

/**
 * Starts the API, the worker, Postgres and the development chain, with the seeded campaigns, as
 * `npm start` does, in a folder of its own and on free ports. The number of requests has no limit.
 */
export const startStack = async (env: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fundproof-browser-'))
  const child = spawn(process.execPath, [join(ROOT, 'src/commands/main.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_ANONYMOUS: '0',
      RATE_LIMIT_USER: '0',
      RATE_LIMIT_LOGIN: '0',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await waitFor(
      'the service to start',
      () => output,
      (text) => text.includes(READY) || child.exitCode !== null,
      START_TIMEOUT_MS,
    )
    const runtime = readRuntime(dataDir)
    const rpcUrl = runtime?.chains[0]?.rpc[0]
    if (!runtime || !rpcUrl) throw new Error(`The service did not start:\n${output}`)
    return {
      /** Where the pages are. */
      origin: runtime.apiUrl,
      port: Number(new URL(runtime.apiUrl).port),
      databaseUrl: runtime.databaseUrl,
      /** Asks the node of the development chain. */
      rpc: <T = unknown>(method: string, params: readonly unknown[] = []) =>
        callNode<T>(rpcUrl, method, params),
      /** Pays from the accounts of the development chain, and takes blocks back. */
      chain: await connectDevChain(rpcUrl, DEV_TOKEN_ADDRESS),
      /** The address of the test USDC. */
      token: DEV_TOKEN_ADDRESS,
      /**
       * The seconds between two blocks, 1 at first. With 0 the chain has no new blocks until
       * `mine` is called.
       */
      setBlockTime: (seconds: number) => callNode<void>(rpcUrl, 'evm_setIntervalMining', [seconds]),
      mine: (blocks = 1) => callNode<void>(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`]),
      /** What the service has printed. */
      output: () => output,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
