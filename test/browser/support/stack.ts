import { join } from 'node:path'
import { connectDevChain } from '../../../src/commands/demo/dev-chain.ts'
import { DEV_TOKEN_ADDRESS } from '../../../src/local/dev-token.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { startService } from '../../support/service.ts'

/** The file with the wallets that the service refuses: account 8 of the development chain. */
export const SANCTIONS_FILE = join(import.meta.dirname, 'sanctions.txt')

/** A running service for tests, started as `npm start` does. */
export type Stack = Awaited<ReturnType<typeof startStack>>

/** The seconds between two blocks of an idle chain. */
const BLOCK_TIME_S = 1
/** The interval in which blocks are mined while a transaction is pending or not yet final. */
const STEP_MS = 250
const FINAL_BLOCKS = 3

/** Starts the service as `npm start` does. */
export const startStack = async (env: Record<string, string>) => {
  const { runtime, output, stop } = await startService(env)
  const rpcUrl = runtime.chains[0]?.rpc[0] ?? ''
  const mine = (blocks = 1) => callNode<void>(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])
  let isMining = true
  let blocksLeft = 0
  const mineStep = async () => {
    if (!isMining) return
    const { pending } = await callNode<{ pending: string }>(rpcUrl, 'txpool_status')
    if (Number(pending) > 0) blocksLeft = FINAL_BLOCKS
    if (blocksLeft === 0 || !isMining) return
    blocksLeft -= 1
    await mine()
  }
  // A failed step does no harm, because the chain also mines by itself, only later.
  const steps = setInterval(() => void mineStep().catch(() => undefined), STEP_MS)
  return {
    /** The origin of the pages. */
    origin: runtime.apiUrl,
    port: Number(new URL(runtime.apiUrl).port),
    databaseUrl: runtime.databaseUrl,
    /** Calls a method of the development chain's node. */
    rpc: <T = unknown>(method: string, params: readonly unknown[] = []) =>
      callNode<T>(rpcUrl, method, params),
    /** Pays from accounts of the development chain, and removes blocks. */
    chain: await connectDevChain(rpcUrl, DEV_TOKEN_ADDRESS),
    /** The address of the test USDC. */
    token: DEV_TOKEN_ADDRESS,
    /** Stops the chain: it has no new blocks until `mine` or `startBlocks` is called. */
    async stopBlocks(): Promise<void> {
      isMining = false
      await callNode(rpcUrl, 'evm_setIntervalMining', [0])
    },
    async startBlocks(): Promise<void> {
      isMining = true
      await callNode(rpcUrl, 'evm_setIntervalMining', [BLOCK_TIME_S])
    },
    mine,
    /** Everything that the service has printed. */
    output,
    stop(): Promise<void> {
      clearInterval(steps)
      return stop()
    },
  }
}
