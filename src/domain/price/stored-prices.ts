import type { Price } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

/**
 * A step of a conversion as stored with a donation: a feed's answer, or the configured price.
 * `inverse` if it converts from the pair's second unit to its first.
 */
export type PriceSource = {
  pair: string
  inverse: boolean
  /** The price of the pair, as a decimal text. */
  price: string
  /** `block`: read at the donation's block; `round`: found among the feed's rounds by its time. */
  method: 'block' | 'round' | 'fixed'
  /** The feed's contract. This and the fields below exist only for feeds. */
  feed?: string
  roundId?: string
  answer?: string
  decimals?: number
  /** ISO 8601. */
  updatedAt?: string
}

/** The price of a feed for a pair at a block; undefined if it was not read. */
export type StoredPrices = (
  pair: string,
  blockHash: string,
) => { price: Price; source: Omit<PriceSource, 'inverse'> } | undefined

type PriceRow = {
  pair: string
  blockHash: string
  price: string
  feed: string
  roundId: string
  answer: string
  decimals: number
  feedUpdatedAt: Date
  method: 'block' | 'round'
}

/** The stored prices that some transfers of a chain need, in one statement. Empty without feeds. */
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
  const rows = await ctx.sql<PriceRow[]>`
    select pair, block_hash, price, feed, round_id, answer, decimals, feed_updated_at, method
    from chain_price
    where chain_id = ${chainId} and pair = any(${[...pairs]}) and block_hash = any(${[...blocks]})`
  const found = new Map(rows.map((row) => [`${row.pair} ${row.blockHash}`, row]))
  return (pair, blockHash) => {
    const row = found.get(`${pair} ${blockHash}`)
    return (
      row && {
        price: { numerator: BigInt(row.answer), denominator: 10n ** BigInt(row.decimals) },
        source: {
          pair,
          price: row.price,
          method: row.method,
          feed: row.feed,
          roundId: row.roundId,
          answer: row.answer,
          decimals: row.decimals,
          updatedAt: row.feedUpdatedAt.toISOString(),
        },
      }
    )
  }
}

const keyOf = ({ assetId, currencyId }: { assetId: string; currencyId: string }): string =>
  `${assetId} ${currencyId}`
