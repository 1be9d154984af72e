import type { FeedPrice } from '../../kernel/prices.ts'
import type { Context } from '../context.ts'

/** Stores feed prices and never overwrites one, so all donations of a block have the same. */
export const recordPrices = async (
  ctx: Context,
  chainId: number,
  prices: readonly FeedPrice[],
): Promise<void> => {
  if (prices.length === 0) return
  const rows = prices.map((price) => ({
    pair: price.pair,
    block_hash: price.blockHash,
    block_number: price.blockNumber,
    price: price.price,
    feed: price.feed,
    round_id: price.roundId,
    answer: price.answer,
    decimals: price.decimals,
    feed_updated_at: price.updatedAt.toISOString(),
    method: price.method,
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
