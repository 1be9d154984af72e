import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { type Replacement, replaceTransactions } from '../donation/index.ts'
import { type BlockRef, knownHashes, lockChain } from './chain-state.ts'
import { recordSightings, type Sightings } from './record-sightings.ts'

/**
 * Records that a final block holds other transactions where claimed ones were to be, and what they
 * did. False: the block is not final on our own chain, and nothing was written.
 */
export const applyReplacements = async (
  ctx: Context,
  chainId: number,
  block: BlockRef,
  replacements: readonly Omit<Replacement, 'paid'>[],
  sightings: Sightings,
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChain(ctx, chainId)
    if (block.number > Math.min(state.finalizedNumber, state.cursor.number)) return false
    const known = await knownHashes(ctx, chainId, block.number, block.number)
    if (known.get(block.number) !== block.hash) return false
    await replaceTransactions(
      ctx,
      chainId,
      block,
      replacements.map((one) => ({
        ...one,
        paid: sightings.transfers
          .filter((transfer) => transfer.txHash === one.by)
          .map((transfer) => transfer.recipient),
      })),
    )
    await recordSightings(ctx, chainId, sightings)
    return true
  })
