import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type BlockRef, knownHash, lockChainRow } from './chain-state.ts'
import { type Observed, recordTransfers } from './record-transfers.ts'

/**
 * Records the contents of older blocks that were looked up for a donation. A block must be at most
 * at the cursor, and if we store a block of that number, it must be the same one. Returns false,
 * and writes nothing, if the chain has changed.
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
      const known = await knownHash(ctx, chainId, block.number)
      if (known !== undefined && known !== block.hash) return false
    }
    await recordTransfers(ctx, chainId, observed)
    return true
  })
