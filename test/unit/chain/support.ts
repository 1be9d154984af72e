import { type ChainClientOptions, createChainClient } from '../../../src/chain/chain-client.ts'
import { ChainError } from '../../../src/chain/errors.ts'
import { createLog } from '../../../src/kernel/log.ts'

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
