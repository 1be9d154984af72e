import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type BlockRef, type ChainState, databaseNow, lockChainRow } from '../../shared/index.ts'
import { type Replacement, replaceTransactions } from '../match/replace-transaction.ts'
import { knownHash } from './chain-state.ts'
import { type Observed, recordTransfers } from './record-transfers.ts'

type NewBlock = BlockRef & { parentHash: string; minedAt: Date }

type ApplyBlocks = {
  chainId: number
  /** The cursor at the time when the worker asked for the blocks. */
  after: BlockRef
  /** Consecutive blocks. The parent of the first block is `after`. */
  blocks: NewBlock[]
  observed: Observed
  headNumber: number
}

/**
 * Moves the cursor over new blocks, and records their transfers and claimed transactions. Writes
 * nothing and returns null if another worker moved the cursor.
 */
export const applyBlocks = async (ctx: Context, input: ApplyBlocks): Promise<ChainState | null> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, input.chainId)
    const last = input.blocks.at(-1)
    if (!last || state.cursor.hash !== input.after.hash) return null
    await insertBlocks(ctx, input.chainId, input.blocks)
    await recordTransfers(ctx, input.chainId, input.observed)
    const headNumber = Math.max(input.headNumber, last.number)
    await ctx.sql`
      update chain_state
      set cursor_number = ${last.number}, cursor_hash = ${last.hash}, head_number = ${headNumber},
          problem = case when problem like 'finality%' then problem end,
          updated_at = ${databaseNow(ctx)}
      where chain_id = ${input.chainId}`
    return { ...state, cursor: { number: last.number, hash: last.hash }, headNumber }
  })

const insertBlocks = async (
  ctx: Context,
  chainId: number,
  blocks: readonly NewBlock[],
): Promise<void> => {
  await ctx.sql`
    insert into chain_block (chain_id, number, hash, parent_hash, mined_at)
    select ${chainId}, number, bytes_of(hash), bytes_of("parentHash"), "minedAt"
    from jsonb_to_recordset(${ctx.sql.json(blocks)})
      as row (number bigint, hash text, "parentHash" text, "minedAt" timestamptz)`
}

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
