import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type BlockRef, lockChainRow } from '../../shared/index.ts'
import { knownHash } from './chain-state.ts'

/** The final block that nodes report. `hash` is null if blocks are final at a fixed depth. */
type Finality = {
  number: number
  hash: string | null
  /**
   * The hash of the cursor when the sync had read all blocks. A stored block can contradict the
   * final block only while the cursor still has this hash.
   */
  caughtUpAt?: string
}

/**
 * - `believed`: all stored blocks up to the nodes' final block are now final.
 * - `unread`: the sync cannot decide, because it has not read all blocks or has deleted this block.
 * - `contradicted`: the sync has read all blocks, but another block has this number.
 */
export type FinalityVerdict = 'believed' | 'unread' | 'contradicted'

/**
 * Moves the chain's final block forward, but only to a stored block. A contradiction halts the
 * chain, and a halted chain settles nothing until the nodes' final block is stored. Then exactly
 * this block is final, even if a higher block was final before the halt.
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
        await haltChain(ctx, chainId, state.cursor)
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

/** Halts a chain while its newest stored block is `cursor`. `advanceFinality` ends the halt. */
export const haltChain = async (ctx: Context, chainId: number, cursor: BlockRef): Promise<void> => {
  await ctx.sql`
    update chain_state set halted_at = coalesce(halted_at, ${ctx.clock.now()})
    where chain_id = ${chainId} and cursor_hash = ${cursor.hash}`
}
