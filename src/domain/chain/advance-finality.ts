import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { knownHash, lockChainRow } from './chain-state.ts'

/** The final block of a node. `hash` is null if a fixed depth below our cursor counts as final. */
export type Finality = {
  number: number
  hash: string | null
  /**
   * The hash of our cursor when we had read all blocks of the node. If our cursor has moved since,
   * another block of ours at this height does not contradict the node.
   */
  caughtUpAt?: string
}

/**
 * - `believed`: every block up to the final block is final.
 * - `unread`: our stored blocks do not reach the final block yet, or we have pruned the block.
 * - `contradicted`: we have another block at this height, although we had read all blocks.
 */
export type FinalityVerdict = 'believed' | 'unread' | 'contradicted'

/**
 * Moves the final block forward, but only to a block that we store. A contradiction halts the
 * chain: nothing is settled until we store the node's final block. Finality then restarts at this
 * block, because the blocks above it were contradicted.
 */
export const advanceFinality = async (
  ctx: Context,
  chainId: number,
  finality: Finality,
): Promise<FinalityVerdict> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    const now = ctx.clock.now()
    if (finality.number > state.cursor.number) return 'unread'
    if (finality.hash !== null) {
      const ours = await knownHash(ctx, chainId, finality.number)
      if (ours !== finality.hash) {
        if (ours === undefined || finality.caughtUpAt !== state.cursor.hash) return 'unread'
        await ctx.sql`
          update chain_state set halted_at = coalesce(halted_at, ${now}) where chain_id = ${chainId}`
        return 'contradicted'
      }
    }
    await ctx.sql`
      update chain_state
      set finalized_number = case when halted_at is null
            then greatest(finalized_number, ${finality.number}) else ${finality.number}::bigint end,
          finalized_moved_at = case
            when finalized_number < ${finality.number} or finalized_moved_at is null
            then ${now}::timestamptz else finalized_moved_at end,
          halted_at = null
      where chain_id = ${chainId}`
    return 'believed'
  })
