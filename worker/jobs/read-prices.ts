import { readPriceFeeds } from '../../src/chain/index.ts'
import { takeLease } from '../../src/domain/blocks/index.ts'
import {
  countUnpriced,
  listNeededPrices,
  postponeUnpriced,
  recordPrices,
} from '../../src/domain/books/index.ts'
import { settleFinal } from '../chain/settle-final.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/** The number of prices that are read and stored together. */
const PRICES_PER_BATCH = 32
/** The most batches per pass. The next pass reads the rest. */
const MAX_BATCHES = 100
/** The pause on a chain without price feeds, where a pass has little to do. */
const SWEEP_WITHOUT_FEEDS_MS = 15_000

/**
 * Reads the prices that final donations need, at the block of each donation, and settles these
 * donations. This is a separate job, so that a slow price feed does not delay other donations.
 */
export const createReadPricesJob = (sync: ChainSync): Job => {
  const { ctx, chain } = sync
  const sweepMs = chain.feeds.length > 0 ? 1_000 : SWEEP_WITHOUT_FEEDS_MS

  const pass = async (signal: AbortSignal): Promise<void> => {
    if ((await readPrices(sync, signal)) > 0) await settleFinal(sync, signal)
    const unpriced = await countUnpriced(ctx, chain.id)
    ctx.metrics.gauge('fundproof_donations_unpriced', { chain: chain.id }, unpriced)
  }

  return createLoop({ name: `read-prices ${chain.id}`, run: pass, sweepMs, log: ctx.log })
}

/** Returns the number of prices that were read. Stops without the chain's lease. */
const readPrices = async (sync: ChainSync, signal: AbortSignal): Promise<number> => {
  const { ctx, chain, client } = sync
  let read = 0
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
    const needed = await listNeededPrices(ctx, chain.id, PRICES_PER_BATCH)
    if (needed.length === 0) break
    if (!(await takeLease(ctx, chain.id, sync.owner, sync.leaseMs))) break
    const { prices, failures } = await readPriceFeeds(client, chain, needed)
    // After an abort, the failures are not the fault of the nodes, so they are not recorded.
    if (signal.aborted) break
    for (const { pair, blockNumber, reason, why } of failures) {
      ctx.log.warn({ pair, block: blockNumber, reason }, why)
    }
    // Stores prices, and postpones donations without one, so the next batch needs other prices.
    await recordPrices(ctx, chain.id, prices)
    await postponeUnpriced(ctx, chain.id, failures)
    read += prices.length
  }
  return read
}
