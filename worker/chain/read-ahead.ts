import type { Block, ChainClient, WatchList } from '../../src/chain/index.ts'
import type { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import { listClaimedHashes, type Observed } from '../../src/domain/blocks/index.ts'
import type { BlockRef } from '../../src/domain/shared/index.ts'
import { scanBlocks } from './scan.ts'

/** A chain, its nodes, and a function that reads which accounts and tokens to watch. */
export type BlockSource = {
  ctx: Context
  chain: ChainConfig
  client: ChainClient
  watch(ctx: Context): Promise<WatchList>
}

export type ReadBlocks = { blocks: Block[]; observed: Observed }

/**
 * Creates a function that reads the next batch of blocks after a given block, up to `lastNumber`.
 * While the caller stores a batch, the function already reads the next batch. The function returns
 * null if a reorg has replaced the given block.
 */
export const createReadAhead = (
  source: BlockSource,
  lastNumber: number,
): ((after: BlockRef) => Promise<ReadBlocks | null>) => {
  let ahead: { after: string; reading: Promise<ReadBlocks | null> } | undefined
  return async (after) => {
    const reading =
      ahead?.after === after.hash ? ahead.reading : readAfter(source, after, lastNumber)
    ahead = undefined
    const read = await reading
    const top = read?.blocks.at(-1)
    if (top && top.number < lastNumber) {
      const next = readAfter(source, top, lastNumber)
      // The next call awaits `next`. Until then, `catch` prevents an unhandled rejection.
      next.catch(() => {})
      ahead = { after: top.hash, reading: next }
    }
    return read
  }
}

const readAfter = async (
  { ctx, chain, client, watch }: BlockSource,
  after: BlockRef,
  lastNumber: number,
): Promise<ReadBlocks | null> => {
  const to = Math.min(lastNumber, after.number + chain.blocksPerBatch)
  const blocks = await client.blocks(after.number + 1, to)
  if (blocks[0]?.parentHash !== after.hash) return null
  const watched = await watch(ctx)
  const claimed = await listClaimedHashes(
    ctx,
    chain.id,
    blocks.flatMap((block) => block.transactions.map((transaction) => transaction.hash)),
  )
  return {
    blocks,
    observed: await scanBlocks(client, ctx.settings.assets, blocks, watched, claimed, ctx.log),
  }
}
