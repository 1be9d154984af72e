import type { Context } from '../context.ts'

/** Prices are kept for so many blocks below the final one. A donation keeps its own price. */
const KEPT_BLOCKS = 4_096

/** Deletes prices of blocks far below finality that were read at least a day ago. */
export const prunePrices = async (ctx: Context, limit: number): Promise<number> => {
  const rows = await ctx.sql`
    delete from chain_price
    where (chain_id, pair, block_hash) in (
      select chain_price.chain_id, pair, block_hash
      from chain_price join chain_state on chain_state.chain_id = chain_price.chain_id
      where chain_price.block_number < chain_state.finalized_number - ${KEPT_BLOCKS}
        and read_at < ${ctx.clock.now()}::timestamptz - interval '1 day'
      limit ${limit})
    returning 1`
  return rows.length
}
