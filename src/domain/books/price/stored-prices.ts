import type { Context } from '../../../db/context.ts'
import type { ChainPrice } from '../../../db/schema/chains.ts'
import type { Price } from '../../../kernel/money/money.ts'
import type { FeedPrice, PriceSource } from '../../../kernel/money/prices.ts'

/** Looks up the feed's price of a pair at a block; undefined if the price is not stored. */
export type StoredPrices = (
  pair: string,
  blockHash: string,
) => { price: Price; source: Omit<PriceSource, 'inverse'> } | undefined

/** Loads the stored feed prices that these transfers of a chain need, in one query. */
export const loadPrices = async (
  ctx: Context,
  chainId: number,
  transfers: readonly {
    assetId: string | null
    currencyId: string
    blockHash: string | null
  }[],
): Promise<StoredPrices> => {
  const needs = Map.groupBy(ctx.settings.assets.feedNeeds(chainId), keyOf)
  const pairs = new Set<string>()
  const blocks = new Set<string>()
  if (needs.size > 0) {
    for (const { assetId, currencyId, blockHash } of transfers) {
      if (assetId === null || blockHash === null || assetId === currencyId) continue
      const needed = needs.get(keyOf({ assetId, currencyId })) ?? []
      for (const { pair } of needed) pairs.add(pair)
      if (needed.length > 0) blocks.add(blockHash)
    }
  }
  if (blocks.size === 0) return () => undefined
  const rows = await ctx.sql<Omit<ChainPrice, 'chainId' | 'blockNumber' | 'readAt'>[]>`
    select pair, block_hash, price, feed, round_id, answer, decimals, feed_updated_at, method
    from chain_price
    where chain_id = ${chainId} and pair = any(${[...pairs]}) and block_hash = any(${[...blocks]})`
  const found = new Map(rows.map((row) => [`${row.pair} ${row.blockHash}`, row]))
  return (pair, blockHash) => {
    const row = found.get(`${pair} ${blockHash}`)
    if (!row) return undefined
    const { blockHash: _, feedUpdatedAt, ...source } = row
    return {
      price: { numerator: BigInt(row.answer), denominator: 10n ** BigInt(row.decimals) },
      source: { ...source, updatedAt: feedUpdatedAt.toISOString() },
    }
  }
}

const keyOf = ({ assetId, currencyId }: { assetId: string; currencyId: string }): string =>
  `${assetId} ${currencyId}`

/** Stores feed prices. Never replaces a price, so all donations of a block use the same prices. */
export const recordPrices = async (
  ctx: Context,
  chainId: number,
  prices: readonly FeedPrice[],
): Promise<void> => {
  if (prices.length === 0) return
  await ctx.sql`
    insert into chain_price
      (chain_id, pair, block_hash, block_number, price, feed, round_id, answer, decimals,
       feed_updated_at, method, read_at)
    select ${chainId}, pair, bytes_of("blockHash"), "blockNumber", price, feed, "roundId", answer,
           decimals, "updatedAt", method, ${ctx.clock.now()}
    from jsonb_to_recordset(${ctx.sql.json(prices)})
      as row (pair text, "blockHash" text, "blockNumber" bigint, price text, feed text,
              "roundId" text, answer text, decimals int, "updatedAt" timestamptz, method text)
    on conflict do nothing`
}

/** Prices of this many blocks are kept, although each donation also stores its own price. */
const KEPT_BLOCKS = 4_096

/** Deletes prices that are older than a day and more than KEPT_BLOCKS below the final block. */
export const prunePrices = async (ctx: Context, limit: number): Promise<number> => {
  const pruned = await ctx.sql`
    delete from chain_price
    where (chain_id, pair, block_hash) in (
      select chain_price.chain_id, pair, block_hash
      from chain_price join chain_state on chain_state.chain_id = chain_price.chain_id
      where chain_price.block_number < chain_state.finalized_number - ${KEPT_BLOCKS}
        and read_at < ${ctx.clock.now()}::timestamptz - interval '1 day'
      limit ${limit})`
  return pruned.count
}
