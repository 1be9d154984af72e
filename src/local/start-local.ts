import { ChainConfig, type Config } from '../config/config.ts'
import type { Log } from '../kernel/log.ts'
import { type DevChain, startDevChain } from './dev-chain.ts'
import { startPostgres } from './postgres.ts'
import { loadOrCreateSecret } from './runtime.ts'

export type LocalPart = 'Postgres' | 'the development chain'

export type Local = {
  databaseUrl: string
  chains: ChainConfig[]
  secret: string
  /** Ends what was started, in at most five seconds. Close connections first. */
  stop(): Promise<void>
}

/** The settings that decide which parts are embedded. */
export type LocalConfig = Pick<Config, 'databaseUrl' | 'chains' | 'secret' | 'dataDir'>

const POLL_INTERVAL_MS = 250

/**
 * Starts the embedded parts whose setting is missing: Postgres without DATABASE_URL, the
 * development chain without CHAINS, a stored secret without SECRET. If one cannot start, the
 * others are stopped again.
 *
 * @param onExit called with the reason when a part ends unexpectedly
 * @throws StartError in one line
 */
export const startLocal = async (
  config: LocalConfig,
  log: Log,
  onExit: (part: LocalPart, reason: string) => void = () => {},
): Promise<Local> => {
  const { dataDir } = config
  const secret = config.secret ?? loadOrCreateSecret(dataDir)
  const [database, chain] = await Promise.allSettled([
    config.databaseUrl === undefined
      ? startPostgres({ dataDir, log, onExit: (reason) => onExit('Postgres', reason) })
      : undefined,
    config.chains === undefined
      ? startDevChain({ dataDir, log, onExit: (reason) => onExit('the development chain', reason) })
      : undefined,
  ])
  // Neither part needs the other, so both may end at once, and together within their five seconds.
  const stop = async () => {
    const parts = [database, chain].map((part) =>
      part.status === 'fulfilled' ? part.value?.stop() : undefined,
    )
    await Promise.all(parts)
  }
  if (database.status === 'rejected') {
    await stop()
    throw database.reason
  }
  if (chain.status === 'rejected') {
    await stop()
    throw chain.reason
  }
  return {
    // One of the two is there: Postgres was started exactly when the setting was missing.
    databaseUrl: config.databaseUrl ?? database.value?.url ?? '',
    chains: config.chains ?? (chain.value ? [devChainConfig(chain.value)] : []),
    secret,
    stop,
  }
}

/** The embedded chain as the configuration would name it. */
export const devChainConfig = (chain: DevChain): ChainConfig =>
  ChainConfig.parse({
    id: chain.chainId,
    name: 'dev',
    rpc: [chain.url],
    public: { name: 'Development chain', rpc: [chain.url], testnet: true },
    finality: { tag: 'finalized' },
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [chain.token],
    pollIntervalMs: POLL_INTERVAL_MS,
    // After a restart the chain has another block 0, which is not the parent of block 1.
    startBlock: 1,
  })
