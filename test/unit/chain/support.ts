import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type ChainClientOptions, createChainClient } from '../../../src/chain/chain-client.ts'
import { ChainError } from '../../../src/chain/errors.ts'
import { createNodePool, type NodePool, type NodePoolOptions } from '../../../src/chain/rpc/pool.ts'
import type { Timing } from '../../../src/chain/rpc/timing.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import {
  type Fault,
  type FaultProxy,
  type Layer,
  startFaultProxy,
} from '../../support/fault-proxy.ts'
import type { Json } from '../../support/faults/fault.ts'
import { type RpcHandler, type RpcServer, serveRpc } from '../../support/rpc-server.ts'

type Options = Omit<ChainClientOptions, 'chain' | 'log'> & {
  urls: string[]
  chain?: Partial<ChainClientOptions['chain']>
}

/** A client for chain id 1 that logs nothing and waits one millisecond between its rounds. */
export const clientOf = ({ urls, chain, ...options }: Options) =>
  createChainClient({
    chain: {
      id: 1,
      name: 'test',
      rpc: urls,
      finality: { tag: 'finalized' },
      native: { symbol: 'ETH', decimals: 18 },
      tokens: [],
      feeds: [],
      proof: 'transactions-root',
      pollIntervalMs: 1_000,
      blocksPerBatch: 20,
      ...chain,
    },
    log: createLog('silent', 'test'),
    backoffMs: 1,
    ...options,
  })

/** Three nodes that show the same chain. Each node can fail or lie. */
export const startThreeNodes = async ({ url }: { url: string }) => {
  const nodes = [await startFaultProxy(url), await startFaultProxy(url), await startFaultProxy(url)]
  const [first, second, third] = nodes as [FaultProxy, FaultProxy, FaultProxy]
  return { first, second, third, nodes, urls: nodes.map((node) => node.url) }
}

/** Makes a node lie: its results of one method are changed. */
export const lieAbout = (
  method: string,
  change: (result: Json, ...given: Parameters<Layer>) => unknown,
): Fault => ({
  kind: 'custom',
  layer: async (asked, params, ask) => {
    const result = await ask(asked, params)
    return asked === method ? change(result as Json, asked, params, ask) : result
  },
})

/** Answers every HTTP request to a server with `answer`, until `intercept` is set again. */
export const answerAll = (server: RpcServer, answer: (response: ServerResponse) => unknown) => {
  server.intercept = (_request, response) => {
    answer(response)
    return true
  }
}

/** Starts a server that is closed after the test. */
export const serveForTest = async (handler: RpcHandler): Promise<RpcServer> => {
  const server = await serveRpc(handler)
  onTestFinished(() => server.close())
  return server
}

/** Connects a pool to these nodes. The pool is closed after the test. */
export const connectPool = (
  servers: readonly { url: string }[],
  options: Partial<NodePoolOptions> = {},
): NodePool => {
  const urls = servers.map(({ url }) => url)
  const log = createLog('silent', 'test')
  const pool = createNodePool({ urls, chainId: 1, log, timeoutMs: 2_000, ...options })
  onTestFinished(() => pool.close())
  return pool
}

/** Returns the code of the ChainError that `act` throws, or a text about another result. */
export const codeOf = async (act: () => unknown): Promise<string> => {
  try {
    await act()
    return 'no error'
  } catch (error) {
    return error instanceof ChainError ? error.code : `not a ChainError: ${error}`
  }
}

/** A grace that never ends by itself. The pause does not move the clock of `createTestTiming`. */
export const GRACE_MS = 12_345

/** A clock that only `sleep` and `advance` move. */
export const createTestTiming = () => {
  let nowMs = 0
  const slept: number[] = []
  const timing: Timing = {
    nowMs: () => nowMs,
    // A pause of GRACE_MS ends when it is aborted, and does not move the clock.
    sleep: (ms, signal) => {
      if (ms === GRACE_MS)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      slept.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
    random: () => 0.5,
  }
  return { timing, slept, advance: (ms: number) => (nowMs += ms) }
}
