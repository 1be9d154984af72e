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

/** A client of mainnet's id that logs nothing and waits a millisecond between its rounds. */
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

/** Three nodes that show one chain, each of which can be made to fail or to lie. */
export const startThreeNodes = async ({ url }: { url: string }) => {
  const nodes = [await startFaultProxy(url), await startFaultProxy(url), await startFaultProxy(url)]
  const [first, second, third] = nodes as [FaultProxy, FaultProxy, FaultProxy]
  return { first, second, third, nodes, urls: nodes.map((node) => node.url) }
}

/** A lie of a node: it changes its results of one method. */
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

/** Answers each HTTP request to a server in this way, until its `intercept` is set again. */
export const answerAll = (server: RpcServer, answer: (response: ServerResponse) => unknown) => {
  server.intercept = (_request, response) => {
    answer(response)
    return true
  }
}

/** A server that is closed when the test is over. */
export const serveForTest = async (handler: RpcHandler): Promise<RpcServer> => {
  const server = await serveRpc(handler)
  onTestFinished(() => server.close())
  return server
}

/** A pool of these nodes, which is closed when the test is over. */
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

/** The code of the ChainError that this throws, or what else happened. */
export const codeOf = async (act: () => unknown): Promise<string> => {
  try {
    await act()
    return 'no error'
  } catch (error) {
    return error instanceof ChainError ? error.code : `not a ChainError: ${error}`
  }
}

/** A grace that is waited for in vain, beside real requests: it takes none of the time below. */
export const GRACE_MS = 12_345

/** Time that moves only by a sleep or by `advance`. */
export const createTestTiming = () => {
  let nowMs = 0
  const slept: number[] = []
  const timing: Timing = {
    nowMs: () => nowMs,
    // A grace is waited for beside real requests, so it takes real time and none of this.
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
