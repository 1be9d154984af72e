import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { knownHash, lockChainRow } from './chain-state.ts'

/** The final block of a node. `hash` is null if finality is a depth below our own cursor. */
export type Finality = {
  number: number
  hash: string | null
  /**
   * The cursor of a worker that has caught up with the chain of this final block. If our cursor has
   * moved since, a different block of ours at this height is no contradiction.
   */
  caughtUpAt?: string
}

/**
 * - `believed`: every block up to the final one is final.
 * - `unread`: our stored blocks do not reach the final one yet, or it has been pruned.
 * - `contradicted`: we hold another block at its height, although we have caught up.
 */
export type FinalityVerdict = 'believed' | 'unread' | 'contradicted'

/**
 * Moves finality forward, never back, and only to a block that our own chain holds.
 * A contradiction halts the chain: it settles nothing until our chain holds the final block, and
 * finality then restarts at that block, because the blocks above it were contradicted.
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
