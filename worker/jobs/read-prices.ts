import { readPriceFeeds } from '../../src/chain/index.ts'
import { settleBatch, takeLease } from '../../src/domain/chain/index.ts'
import {
  countUnpriced,
  listNeededPrices,
  postponeUnpriced,
  recordPrices,
} from '../../src/domain/price/index.ts'
import type { Follower } from '../chain/follow.ts'
import { createLoop, type Job } from '../loop.ts'

/** Pairs at blocks that are asked for before what was said is written down. */
const PRICES_PER_BATCH = 32
/** What is left after so many is read in the next pass. */
const MAX_BATCHES = 100
/** A chain without feeds has nothing to read, but may have donations that no configured price fits. */
const SWEEP_WITHOUT_FEEDS_MS = 15_000

/**
 * Reads the prices that final donations of a chain wait for, at their blocks, and settles them. It
 * runs beside the follower, so that a feed or a node that is slow to tell a price holds up only whom
 * it is for.
 */
export const createReadPricesJob = (
  follower: Follower,
  sweepMs = follower.chain.feeds.length > 0 ? 1_000 : SWEEP_WITHOUT_FEEDS_MS,
): Job => {
  const { ctx, chain } = follower

  const pass = async (signal: AbortSignal): Promise<void> => {
    if ((await readPrices(follower, signal)) > 0) {
      while (!signal.aborted && (await settleBatch(ctx, chain.id)) > 0) {
        // One batch a transaction, until nothing that is final is left.
      }
    }
    const unpriced = await countUnpriced(ctx, chain.id)
    ctx.metrics.gauge('fundproof_donations_unpriced', { chain: chain.id }, unpriced)
  }

  const loop = createLoop({ name: `read-prices ${chain.id}`, run: pass, sweepMs, log: ctx.log })
  return {
    name: 'read-prices',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}

/** Returns how many prices were read. Only the worker that holds the lease asks. */
const readPrices = async (follower: Follower, signal: AbortSignal): Promise<number> => {
  const { ctx, chain, client } = follower
  let read = 0
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
    const needed = await listNeededPrices(ctx, chain.id, PRICES_PER_BATCH)
    if (needed.length === 0) break
    if (!(await takeLease(ctx, chain.id, follower.owner, follower.leaseMs))) break
    const { prices, failures } = await readPriceFeeds(client, chain, needed)
    // Nodes that are not asked any more have not failed.
    if (signal.aborted) break
    for (const { pair, blockNumber, reason, why } of failures) {
      ctx.log.warn({ pair, block: blockNumber, reason }, why)
    }
    // Each was either kept or put off, so none of them is needed in the next round.
    await recordPrices(ctx, chain.id, prices)
    await postponeUnpriced(ctx, chain.id, failures)
    read += prices.length
  }
  return read
}
