import type { FeedPrice } from '../../kernel/prices.ts'
import type { Context } from '../context.ts'

/** Keeps what feeds said at blocks. What was read first stays: every donation of a block has one price. */
export const recordPrices = async (
  ctx: Context,
  chainId: number,
  prices: readonly FeedPrice[],
): Promise<void> => {
  if (prices.length === 0) return
  const rows = prices.map((one) => ({
    pair: one.pair,
    block_hash: one.blockHash,
    block_number: one.blockNumber,
    price: one.price,
    feed: one.feed,
    round_id: one.roundId,
    answer: one.answer,
    decimals: one.decimals,
    feed_updated_at: one.updatedAt.toISOString(),
    method: one.method,
  }))
  await ctx.sql`
    insert into chain_price
      (chain_id, pair, block_hash, block_number, price, feed, round_id, answer, decimals,
       feed_updated_at, method, read_at)
    select ${chainId}, row.*, ${ctx.clock.now()}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (pair text, block_hash text, block_number bigint, price text, feed text,
              round_id text, answer text, decimals int, feed_updated_at timestamptz, method text)
    on conflict do nothing`
}
