import type { ChainConfig } from '../config/config.ts'
import { createAgreedHashes } from './blocks/agreed-hashes.ts'
import { createAgreedHeads } from './blocks/agreed-heads.ts'
import { createBlockReader } from './blocks/block-reader.ts'
import { readDescent } from './blocks/descent.ts'
import { createTransactionLookup } from './blocks/transaction-lookup.ts'
import type { ChainClient } from './client-interface.ts'
import { createToolsLoader } from './encoding/tools.ts'
import { readEvidence } from './payments/donor-evidence.ts'
import type { NodeFault } from './rpc/node-health.ts'
import { createNodePool, type NodePoolOptions } from './rpc/pool.ts'
import { systemTiming } from './rpc/timing.ts'
import { createStateLookup } from './state/state-lookup.ts'

export type ChainClientOptions = { chain: ChainConfig } & Omit<
  NodePoolOptions,
  'urls' | 'chainId' | 'quorum'
>

export const createChainClient = (options: ChainClientOptions): ChainClient => {
  const { chain, log, metrics } = options
  const { rpc: urls, id: chainId, quorum } = chain
  const pool = createNodePool({ ...options, urls, chainId, quorum })
  const proofTools = createToolsLoader()
  const agreed = createAgreedHashes((options.timing ?? systemTiming).nowMs)
  const agreedHeads = createAgreedHeads({
    pool,
    proofTools,
    finalized: 'tag' in chain.finality,
    maxLagSeconds: chain.maxLagSeconds,
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
    descent: (from, to) => readDescent(pool, proofTools, from, to),
    nodes: () => pool.status(),
    distrust(faults) {
      for (const [node, reason] of Object.entries(faults)) {
        pool.reportFault(node, 'exchange', reason as NodeFault)
      }
    },
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}
