import type { Context } from '../../../db/context.ts'

/** The number of blocks that the service keeps below the final block, for deep reorgs. */
const REMEMBERED_BLOCKS = 4_096

/** Deletes at most `limit` older blocks, oldest first, so that stored blocks have no gaps. */
export const pruneBlocks = async (ctx: Context, limit: number): Promise<number> => {
  const deleted = await ctx.sql`
    delete from chain_block
    where (chain_id, number) in (
      select block.chain_id, block.number
      from chain_block block join chain_state state on state.chain_id = block.chain_id
      where block.number < least(state.finalized_number, state.cursor_number) - ${REMEMBERED_BLOCKS}
      order by block.chain_id, block.number limit ${limit})`
  return deleted.count
}
