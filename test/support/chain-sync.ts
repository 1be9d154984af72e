import { onTestFinished } from 'vitest'
import type { ChainClientOptions } from '../../src/chain/chain-client.ts'
import { createChainClient } from '../../src/chain/index.ts'
import { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { createCommittee } from '../../worker/chain/committee.ts'
import type { ChainSync } from '../../worker/chain/sync-chain.ts'
import { createWatchCache } from '../../worker/chain/watch-cache.ts'
import { TEST_CHAIN } from './world.ts'

type ChainInput = Parameters<typeof ChainConfig.parse>[0] & object

/** The configuration of the test chain with these nodes, followed from its first block. */
export const servedBy = (...rpc: string[]) => ({ ...TEST_CHAIN, name: 'test', rpc, startBlock: 0 })

/** Makes a sync of one chain as the worker does. The sync is closed after the test. */
export const createChainSync = (
  ctx: Context,
  input: ChainInput,
  options: Partial<ChainClientOptions> = {},
): ChainSync => {
  const chain = ChainConfig.parse(input)
  const client = createChainClient({
    ...{ chain, log: ctx.log, timeoutMs: 5_000, backoffMs: 20 },
    ...options,
  })
  const committee = createCommittee(ctx, chain)
  onTestFinished(async () => void (await Promise.all([client.close(), committee?.close()])))
  return {
    ctx,
    chain,
    client,
    committee,
    watch: createWatchCache(chain),
    owner: newId(),
    // Longer than any test, because leases end by real time and not by the clock of the context.
    leaseMs: 60_000,
  }
}
