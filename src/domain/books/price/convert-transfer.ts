import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import {
  type BaseUnits,
  convertUnits,
  formatPrice,
  MAX_BASE_UNITS,
} from '../../../kernel/money/money.ts'
import { type Leg, type PriceSource, priceAlong } from '../../../kernel/money/prices.ts'
import type { StoredPrices } from './stored-prices.ts'

/** The amount of a transfer, and the currency into which the amount is converted. */
type Convertible = Pick<MinedTransfer, 'assetId' | 'blockHash' | 'minedAt'> & {
  currencyId: string
  amount: BaseUnits
}

/** `price` is null without a conversion. `source` is null if no price comes from a feed. */
export type Converted = {
  credited: BaseUnits
  price: string | null
  source: PriceSource[] | null
}

/**
 * Converts a transfer's amount at the prices of its block, and rounds down once, at the end.
 * Returns undefined if an asset is not configured any more, if a price is missing, or if the result
 * exceeds the largest amount.
 */
export const convertTransfer = (
  ctx: Context,
  stored: StoredPrices,
  transfer: Convertible,
): Converted | undefined => {
  const { assetId, currencyId, amount, blockHash, minedAt } = transfer
  const { assets } = ctx.settings
  if (![assetId, currencyId].every((id) => assets.all.some((asset) => asset.id === id))) {
    return undefined
  }
  if (assetId === currencyId) return { credited: amount, price: null, source: null }
  const from = assets.byId(assetId)
  const to = assets.byId(currencyId)
  const route = assets.route(from, to)
  if (!route) return undefined
  const priceOf = (leg: Leg) =>
    leg.by === 'feed' ? stored(leg.pair, blockHash)?.price : assets.fixedPrice(leg.pair, minedAt)
  const price = priceAlong(route, priceOf)
  const credited = price && convertUnits(amount, from.decimals, price, to.decimals)
  if (!price || credited === undefined || credited > MAX_BASE_UNITS) return undefined
  const source = route.map((leg): PriceSource => {
    const fromFeed = leg.by === 'feed' ? stored(leg.pair, blockHash)?.source : undefined
    if (fromFeed) return { ...fromFeed, inverse: leg.inverse }
    const fixed = assets.fixedPrice(leg.pair, minedAt)
    return {
      pair: leg.pair,
      inverse: leg.inverse,
      price: fixed ? formatPrice(fixed) : '',
      method: 'fixed',
    }
  })
  return {
    credited,
    price: formatPrice(price),
    source: source.some((price) => price.method !== 'fixed') ? source : null,
  }
}
