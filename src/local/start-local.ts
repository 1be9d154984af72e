import { ChainConfig, type Config } from '../config/config.ts'
import type { Log } from '../kernel/ports/log.ts'
import { type DevChain, startDevChain } from './dev-chain.ts'
import { startPostgres } from './postgres.ts'
import { loadOrCreateSecret } from './runtime.ts'

type Local = {
  databaseUrl: string
  chains: ChainConfig[]
  secret: string
  /** Ends the started parts in at most 5.5 seconds. The caller first closes its connections. */
  stop(): Promise<void>
}

/** The settings that decide which parts this process starts itself. */
export type LocalConfig = Pick<Config, 'databaseUrl' | 'chains' | 'secret' | 'dataDir'>

const POLL_INTERVAL_MS = 250

/**
 * Starts Postgres if DATABASE_URL is missing, and the development chain if CHAINS is missing. If
 * SECRET is missing, loads or creates a secret. If a part cannot start, stops the other parts.
 *
 * @param onExit called with a sentence when a part ends unexpectedly
 * @throws StartError if a part cannot start
 */
export const startLocal = async (
  config: LocalConfig,
  log: Log,
  onExit: (problem: string) => void = () => {},
): Promise<Local> => {
  const { dataDir, databaseUrl, chains } = config
  const secret = config.secret ?? loadOrCreateSecret(dataDir)
  const optionsOf = (name: string) => ({
    dataDir,
    log,
    onExit: (reason: string) => onExit(`${name} has ended: ${reason}`),
  })
  // Postgres and the chain do not need each other, so both start and end at the same time.
  const database = databaseUrl === undefined ? startPostgres(optionsOf('Postgres')) : undefined
  const chain = chains === undefined ? startDevChain(optionsOf('The development chain')) : undefined
  const stop = async () => {
    const parts = await Promise.allSettled([database, chain])
    await Promise.all(parts.map((part) => part.status === 'fulfilled' && part.value?.stop()))
  }
  try {
    const [server, node] = await Promise.all([database, chain])
    return {
      databaseUrl: databaseUrl ?? server?.url ?? '',
      chains: chains ?? (node ? [devChainConfig(node)] : []),
      secret,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes the configuration of the embedded chain, in the form of CHAINS. */
export const devChainConfig = (chain: DevChain): ChainConfig =>
  ChainConfig.parse({
    id: chain.chainId,
    name: 'dev',
    rpc: [chain.url],
    public: { name: 'Development chain', rpc: [chain.url], testnet: true },
    finality: { tag: 'finalized' },
    ...chain.committee,
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [{ ...chain.token, escrow: true }],
    pollIntervalMs: POLL_INTERVAL_MS,
    // Skips block 0. Each start makes a new block 0, which does not match the saved block 1.
    startBlock: 1,
  })
