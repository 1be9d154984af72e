import type { ChainConfig } from '../config/config.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { createAgreedHashes } from './blocks/agreed-hashes.ts'
import { createAgreedHeads } from './blocks/agreed-heads.ts'
import { createBlockReader } from './blocks/block-reader.ts'
import { createTransactionLookup } from './blocks/transaction-lookup.ts'
import type { ChainClient } from './client-interface.ts'
import { createToolsLoader } from './encoding/tools.ts'
import { readEvidence } from './payments/donor-evidence.ts'
import type { Cooldown } from './rpc/node-health.ts'
import { createNodePool } from './rpc/pool.ts'
import { systemTiming, type Timing } from './rpc/timing.ts'
import { createStateLookup } from './state/state-lookup.ts'

export type { ChainClient } from './client-interface.ts'

export type ChainClientOptions = {
  chain: ChainConfig
  log: Log
  /** Counts the nodes' states and faults. Default: no metrics. */
  metrics?: Metrics
  /** For one HTTP exchange, body included. Default 10 000. */
  timeoutMs?: number
  /** Default 64 MiB. */
  maxResponseBytes?: number
  /** The first backoff between two rounds. Default 250. */
  backoffMs?: number
  /** How long to wait for slow nodes after others have answered. Default 400. */
  graceMs?: number
  /** A faulty node's cooldown. Default 100 to 30 000, 1.5 times longer after each fault. */
  cooldown?: Cooldown
  timing?: Timing
}

const MAX_LAG_SECONDS = 60

export const createChainClient = (options: ChainClientOptions): ChainClient => {
  const { chain, log, metrics } = options
  const timing = options.timing ?? systemTiming
  const pool = createNodePool({
    urls: chain.rpc,
    chainId: chain.id,
    quorum: chain.quorum,
    log,
    metrics,
    timeoutMs: options.timeoutMs ?? 10_000,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
    backoffMs: options.backoffMs ?? 250,
    graceMs: options.graceMs,
    cooldown: options.cooldown,
    timing,
  })
  const proofTools = createToolsLoader()
  const agreed = createAgreedHashes(timing.nowMs)
  const agreedHeads = createAgreedHeads({
    pool,
    proofTools,
    finalized: 'tag' in chain.finality,
    maxLagSeconds: chain.maxLagSeconds ?? MAX_LAG_SECONDS,
    onNoFinality: (error) => log.debug({ chainId: chain.id, code: error.code }, error.message),
  })

  return {
    chainId: chain.id,
    assertChainId: () => pool.assertChainId(),
    async heads() {
      const { latest: head, finalized } = await agreedHeads()
      if (pool.quorum > 1) agreed.remember(head)
      const { number, hash, parentHash, timestamp } = head
      const latest = { number, hash, parentHash, timestamp }
      metrics?.gauge('fundproof_chain_head', { chain: chain.id }, number)
      if ('depth' in chain.finality) {
        const final = number - chain.finality.depth
        return { latest, finalizedNumber: final < 0 ? null : final, finalizedHash: null }
      }
      return {
        latest,
        finalizedNumber: finalized?.number ?? null,
        finalizedHash: finalized?.hash ?? null,
      }
    },
    ...createBlockReader({ pool, chain, proofTools, agreed }),
    ...createTransactionLookup(pool, proofTools),
    ...createStateLookup(pool, proofTools),
    evidence: async (request) => readEvidence(pool, await proofTools(), chain.proof, request),
    nodes: () => pool.status(),
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}
