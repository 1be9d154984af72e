import type { Context } from '../context.ts'

/** How many blocks below the final one are remembered, to understand a reorganisation that deep. */
export const REMEMBERED_BLOCKS = 4_096

/** Forgets blocks far below finality. */
export const pruneBlocks = async (ctx: Context): Promise<number> => {
  const rows = await ctx.sql`
    delete from chain_block using chain_state
    where chain_block.chain_id = chain_state.chain_id
      and chain_block.number < least(chain_state.finalized_number, chain_state.cursor_number) - ${REMEMBERED_BLOCKS}
    returning 1`
  return rows.length
}
