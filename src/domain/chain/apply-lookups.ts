import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type BlockRef, knownHashes, lockChainRow } from './chain-state.ts'
import { type Observed, recordTransfers } from './record-transfers.ts'

/**
 * Records what older blocks hold that were looked up for a donation. A block that our own chain
 * remembers must be the one it remembers; one from before it was followed must lie below all that.
 * False: the chain has changed meanwhile, and nothing was written.
 */
export const applyLookups = async (
  ctx: Context,
  chainId: number,
  blocks: readonly BlockRef[],
  observed: Observed,
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    for (const block of blocks) {
      if (block.number > state.cursor.number) return false
      const known = (await knownHashes(ctx, chainId, block.number, block.number)).get(block.number)
      if (known !== undefined && known !== block.hash) return false
    }
    await recordTransfers(ctx, chainId, observed)
    return true
  })
