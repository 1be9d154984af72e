import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type BlockRef, databaseNow, lockChainRow } from '../../shared/index.ts'
import { revertEscrowEvents } from '../follow-escrow/revert-events.ts'
import { type Reverted, revertDonations } from '../settle/revert-donations.ts'

type RevertBlocks = {
  chainId: number
  /** The cursor at the time when the worker found the reorg. */
  from: BlockRef
  /** The newest block that the old and the new chain share. */
  ancestor: BlockRef
}

/** `escrowEvents`: the number of settled events of escrows that were reversed, if there are any. */
type RevertedBlocks = Reverted & { escrowEvents?: number }

/**
 * Reverts all blocks above the common ancestor in one transaction. Uncredited donations of these
 * blocks wait for a block again. New ledger entries reverse the payments of escrows, and then the
 * credits. Writes nothing and returns null if another worker has moved the cursor.
 */
export const revertBlocks = async (
  ctx: Context,
  input: RevertBlocks,
): Promise<RevertedBlocks | null> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, input.chainId)
    if (state.cursor.hash !== input.from.hash) return null
    const escrowEvents = await revertEscrowEvents(ctx, input.chainId, input.ancestor.number)
    const reverted = await revertDonations(ctx, input.chainId, input.ancestor.number)
    await ctx.sql`
      delete from chain_block
      where chain_id = ${input.chainId} and number > ${input.ancestor.number}`
    await ctx.sql`
      delete from account_balance
      where chain_id = ${input.chainId} and block_number > ${input.ancestor.number}
        and nonce is null`
    await ctx.sql`
      update account_balance set block_number = ${input.ancestor.number}, block_hash = ''
      where chain_id = ${input.chainId} and block_number > ${input.ancestor.number}`
    await ctx.sql`
      update chain_state
      set cursor_number = ${input.ancestor.number}, cursor_hash = ${input.ancestor.hash},
          head_number = ${input.ancestor.number},
          finalized_number = least(finalized_number, ${input.ancestor.number}),
          booked_number = least(booked_number, ${input.ancestor.number}),
          updated_at = ${databaseNow(ctx)}
      where chain_id = ${input.chainId}`
    return escrowEvents === 0 ? reverted : { ...reverted, escrowEvents }
  })
