import { connectDevChain } from '../../../src/demo/dev-chain.ts'
import { DEV_TOKEN_ADDRESS } from '../../../src/local/dev-token.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { startService } from '../../support/service.ts'

/** A service of a test's own, as `npm start` runs it. */
export type Stack = Awaited<ReturnType<typeof startStack>>

/** Starts the service as `npm start` does. The number of requests has no limit. */
export const startStack = async (env: Record<string, string> = {}) => {
  const { runtime, output, stop } = await startService({
    RATE_LIMIT_ANONYMOUS: '0',
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_LOGIN: '0',
    ...env,
  })
  const rpcUrl = runtime.chains[0]?.rpc[0] ?? ''
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
    output,
    stop,
  }
}
