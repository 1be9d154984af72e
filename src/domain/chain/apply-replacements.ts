import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type Replacement, replaceTransactions } from '../donation/index.ts'
import { type BlockRef, knownHash, lockChainRow } from './chain-state.ts'
import { type Observed, recordTransfers } from './record-transfers.ts'

/**
 * Records the replacements of claimed transactions in one final block, and the transfers of these
 * replacements. Writes nothing and returns false if `block` is not a stored final block.
 */
export const applyReplacements = async (
  ctx: Context,
  chainId: number,
  block: BlockRef,
  replacements: readonly Omit<Replacement, 'paid'>[],
  observed: Observed,
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    if (block.number > Math.min(state.finalizedNumber, state.cursor.number)) return false
    if ((await knownHash(ctx, chainId, block.number)) !== block.hash) return false
    await replaceTransactions(
      ctx,
      chainId,
      block,
      replacements.map((replacement) => ({
        ...replacement,
        paid: observed.transfers
          .filter((transfer) => transfer.txHash === replacement.by)
          .map((transfer) => transfer.recipient),
      })),
    )
    await recordTransfers(ctx, chainId, observed)
    return true
  })
