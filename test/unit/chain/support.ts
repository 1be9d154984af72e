import { type ChainClientOptions, createChainClient } from '../../../src/chain/chain-client.ts'
import { ChainError } from '../../../src/chain/errors.ts'
import type { Timing } from '../../../src/chain/rpc/timing.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'

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

/** Time that only moves when somebody sleeps, or the test says so. */
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
