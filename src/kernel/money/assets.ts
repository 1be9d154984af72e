import { DomainError, StartError } from '../errors.ts'
import type { Price } from './money.ts'
import {
  createFixedPrices,
  createRouter,
  type PriceTable,
  priceAlong,
  type Route,
} from './prices.ts'

/**
 * A currency. The `id` of an asset on a chain is CAIP-19 (`eip155:1/erc20:0xa0b8…`,
 * `eip155:1/slip44:60`). The `id` of a fiat currency has the form `iso4217:USD`.
 */
export type Asset = {
  readonly id: string
  readonly kind: 'erc20' | 'native' | 'fiat'
  /** Null for a fiat currency. */
  readonly chainId: number | null
  /** The address of the token contract, in lower case; null for other kinds. */
  readonly address: string | null
  readonly symbol: string
  readonly decimals: number
  /** Whether an escrow may hold this token. */
  readonly escrow?: boolean
  /** True if new campaigns and donations may not use this asset, or no asset of its chain. */
  readonly retired?: boolean
}

/** The part of a chain's settings that defines the assets of the chain. */
export type ChainAssets = {
  readonly id: number
  readonly retired?: boolean | undefined
  readonly native: { readonly symbol: string; readonly decimals: number }
  readonly tokens: readonly {
    symbol: string
    address: string
    decimals: number
    escrow?: boolean | undefined
    retired?: boolean | undefined
  }[]
  /** The pairs of currencies for which the chain has a price feed. */
  readonly feeds?: readonly { readonly pair: string }[]
}

/** A conversion that needs the price of a pair from a feed. */
type FeedNeed = {
  readonly assetId: string
  readonly currencyId: string
  readonly pair: string
}

export type AssetCatalogue = {
  readonly all: readonly Asset[]
  readonly chainIds: readonly number[]
  byId(id: string): Asset
  /** Finds an asset of a chain or a fiat currency. Throws `unknown_currency` for other symbols. */
  bySymbol(symbol: string, chainId: number): Asset
  /** The assets of a chain for new campaigns and donations: of proven decimals, and not retired. */
  accepted(chainId: number): readonly Asset[]
  /**
   * Returns the asset if a new campaign or donation on the chain may use it. Fiat needs an accepted
   * asset on the chain. Throws `unknown_currency` if asset or chain is retired, and `unavailable`
   * until a worker has proven the decimals.
   */
  requireAccepted(asset: Asset, chainId: number): Asset
  /** The steps that convert `from` into `to`; undefined if no pairs connect the two assets. */
  route(from: Asset, to: Asset): Route | undefined
  /** The configured price of a pair at a time. */
  fixedPrice(pair: string, at: Date): Price | undefined
  /** The price of one whole unit of `from` in `to`, calculated only from configured prices. */
  fixedRate(from: Asset, to: Asset, at: Date): Price | undefined
  /** The feed prices that the conversions of a chain's assets need. */
  feedNeeds(chainId: number): readonly FeedNeed[]
}

/** With 8 decimals, the rounding error of a converted donation is far below one cent. */
const FIAT_DECIMALS = 8

/**
 * Collects the assets of a deployment: the native currencies and tokens of all chains, and fiat
 * currencies (the other codes in price pairs). `stored` has the assets of proven decimals by id,
 * and may change later; without it, all decimals count as proven. `byId` also finds stored assets
 * that are not configured, and prefers stored decimals, because stored amounts have these.
 *
 * @throws StartError if two assets of a chain have the same symbol
 */
export const createAssetCatalogue = (
  chains: readonly ChainAssets[],
  prices: PriceTable,
  stored?: ReadonlyMap<string, Asset>,
): AssetCatalogue => {
  const onChain = chains.flatMap((chain): Asset[] => [
    {
      id: `eip155:${chain.id}/slip44:60`,
      kind: 'native',
      chainId: chain.id,
      address: null,
      ...chain.native,
      ...(chain.retired ? { retired: true } : {}),
    },
    ...chain.tokens.map((token): Asset => {
      const address = token.address.toLowerCase()
      return {
        id: `eip155:${chain.id}/erc20:${address}`,
        kind: 'erc20',
        chainId: chain.id,
        address,
        symbol: token.symbol,
        decimals: token.decimals,
        ...(token.escrow ? { escrow: true } : {}),
        ...(chain.retired || token.retired ? { retired: true } : {}),
      }
    }),
  ])
  const symbols = new Set(onChain.map((asset) => asset.symbol))
  const fixedPairs = Object.keys(prices)
  const feedPairs = chains.flatMap((chain) => pairsOf(chain))
  const fiat = [...new Set([...feedPairs, ...fixedPairs].flatMap((pair) => pair.split('/')))]
    .filter((code) => !symbols.has(code))
    .map(
      (code): Asset => ({
        id: `iso4217:${code}`,
        kind: 'fiat',
        chainId: null,
        address: null,
        symbol: code,
        decimals: FIAT_DECIMALS,
      }),
    )
  const all = [...onChain, ...fiat]
  const byId = new Map(all.map((asset) => [asset.id, asset]))
  const isProven = ({ id, decimals }: Asset): boolean =>
    !stored || stored.get(id)?.decimals === decimals
  const isAccepted = (asset: Asset): boolean => !asset.retired && isProven(asset)
  const byName = new Map<string, Asset>()
  for (const asset of all) {
    const name = `${asset.chainId ?? ''}/${asset.symbol}`
    if (byName.has(name)) {
      throw new StartError(
        `Wrong setting: chain ${asset.chainId} has two assets called ${asset.symbol}.`,
      )
    }
    byName.set(name, asset)
  }
  const fixedPrice = createFixedPrices(prices)
  const fixedRoute = createRouter([], fixedPairs)
  const routers = new Map(
    chains.map((chain) => [chain.id, createRouter(pairsOf(chain), fixedPairs)]),
  )

  const route = (from: Asset, to: Asset): Route | undefined => {
    if (from.id === to.id) return []
    const router = routers.get(from.chainId ?? to.chainId ?? 0) ?? fixedRoute
    return router(from.symbol, to.symbol)
  }
  const needs = new Map(chains.map((chain) => [chain.id, needsOf(chain, all, route)]))

  return {
    all,
    chainIds: chains.map((chain) => chain.id),
    byId(id) {
      const own = byId.get(id)
      const kept = stored?.get(id)
      const asset = own && kept ? { ...own, decimals: kept.decimals } : (own ?? kept)
      if (!asset) throw new DomainError('unknown_currency', 'This asset is no longer configured.')
      return asset
    },
    bySymbol(symbol, chainId) {
      const asset = byName.get(`${chainId}/${symbol}`) ?? byName.get(`/${symbol}`)
      if (!asset) {
        throw new DomainError('unknown_currency', 'This currency is not accepted on that chain.')
      }
      return asset
    },
    accepted: (chainId) => onChain.filter((one) => one.chainId === chainId && isAccepted(one)),
    requireAccepted(asset, chainId) {
      const { kind, symbol } = asset
      const needed = kind === 'fiat' ? onChain.filter((one) => one.chainId === chainId) : [asset]
      if (needed.some(isAccepted)) return asset
      throw needed.every(({ retired }) => retired)
        ? new DomainError('unknown_currency', `New ${symbol} is no longer accepted on this chain.`)
        : new DomainError('unavailable', `${symbol} is not checked on this chain yet. Try later.`)
    },
    route,
    fixedPrice,
    fixedRate(from, to, at) {
      const legs = from.id === to.id ? [] : fixedRoute(from.symbol, to.symbol)
      return legs && priceAlong(legs, (leg) => fixedPrice(leg.pair, at))
    },
    feedNeeds: (chainId) => needs.get(chainId) ?? [],
  }
}

const pairsOf = (chain: ChainAssets): string[] => chain.feeds?.map((feed) => feed.pair) ?? []

/** Lists the feeds for conversions from an asset of the chain to each allowed campaign currency. */
const needsOf = (
  chain: ChainAssets,
  all: readonly Asset[],
  route: (from: Asset, to: Asset) => Route | undefined,
): FeedNeed[] => {
  if (pairsOf(chain).length === 0) return []
  const own = all.filter((asset) => asset.chainId === chain.id)
  const currencies = all.filter((asset) => asset.chainId === chain.id || asset.kind === 'fiat')
  return own.flatMap((from) =>
    currencies.flatMap((to) =>
      (route(from, to) ?? [])
        .filter((leg) => leg.by === 'feed')
        .map((leg) => ({ assetId: from.id, currencyId: to.id, pair: leg.pair })),
    ),
  )
}
