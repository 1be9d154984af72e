import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { matchStoredTransfers, settleDonations } from '../donation/index.ts'
import { knownHashes, lockChain } from './chain-state.ts'

/** What a node says is final. `hash` is null where finality is a depth below our own cursor. */
export type Finality = { number: number; hash: string | null }

/**
 * Moves finality forward, never back, and only to a block that our own chain of parents holds.
 * Returns whether it was believed.
 */
export const advanceFinality = async (
  ctx: Context,
  chainId: number,
  finality: Finality,
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChain(ctx, chainId)
    if (finality.number > state.cursor.number) return false
    if (finality.hash !== null) {
      const known = await knownHashes(ctx, chainId, finality.number, finality.number)
      if (known.get(finality.number) !== finality.hash) return false
    }
    await ctx.sql`
      update chain_state
      set finalized_number = greatest(finalized_number, ${finality.number}),
          updated_at = ${ctx.clock.now()}
      where chain_id = ${chainId}`
    return true
  })

/** Settles one batch of what is final, in one transaction. Returns how many donations it settled. */
export const settleBatch = async (
  ctx: Context,
  chainId: number,
  beforeCommit: () => void = () => {},
): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChain(ctx, chainId)
    const settled = await settleDonations(
      ctx,
      chainId,
      Math.min(state.finalizedNumber, state.cursor.number),
      state.headNumber,
    )
    beforeCommit()
    return settled
  })

/** Matches donations that were recorded after their transfer had been seen. */
export const matchLateDonations = async (ctx: Context, chainId: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    await lockChain(ctx, chainId)
    return matchStoredTransfers(ctx, chainId)
  })
