import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type BlockRef, knownHash, lockChainRow } from './chain-state.ts'
import { type Observed, recordTransfers } from './record-transfers.ts'

/**
 * Records the contents of older blocks that a worker has read again for a donation. Writes nothing
 * and returns false if a block is above the cursor or differs from a stored block.
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
