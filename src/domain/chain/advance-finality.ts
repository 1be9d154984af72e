import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { knownHashes, lockChainRow } from './chain-state.ts'

/** What a node says is final. `hash` is null where finality is a depth below our own cursor. */
export type Finality = {
  number: number
  hash: string | null
  /**
   * The cursor of a reader that has caught up with the chain on which this block is final: only
   * where that is still the cursor does another block of ours contradict it.
   */
  caughtUpAt?: string
}

/**
 * - `believed`: everything up to there is final.
 * - `unread`: our own chain does not reach that far yet, or no longer remembers it.
 * - `contradicted`: our own chain, which is the nodes' own, holds another block there.
 */
export type FinalityVerdict = 'believed' | 'unread' | 'contradicted'

/**
 * Moves finality forward, never back, and only to a block that our own chain of parents holds. A
 * contradiction halts the chain: nothing of it is settled until the final block is ours again, and
 * then only up to that, since what was believed to be final above it has been contradicted.
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
      const known = await knownHashes(ctx, chainId, finality.number, finality.number)
      const ours = known.get(finality.number)
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
