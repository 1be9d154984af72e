import { DomainError, StartError } from './errors.ts'
import { type BaseUnits, convertUnits, type Price, parsePrice } from './money.ts'

/**
 * What money is counted in. `id` is CAIP-19 for what lives on a chain
 * (`eip155:1/erc20:0xa0b8…`, `eip155:1/slip44:60`) and `iso4217:USD` for a fiat unit of account.
 */
export type Asset = {
  readonly id: string
  readonly kind: 'erc20' | 'native' | 'fiat'
  /** Null for fiat, which lives on no chain. */
  readonly chainId: number | null
  /** Lower-case token contract; null for native and fiat. */
  readonly address: string | null
  readonly symbol: string
  readonly decimals: number
}

/** A chain as far as money is concerned. */
export type ChainAssets = {
  readonly id: number
  readonly native: { readonly symbol: string; readonly decimals: number }
  readonly tokens: readonly { symbol: string; address: string; decimals: number }[]
}

export type AssetCatalogue = {
  readonly all: readonly Asset[]
  readonly chainIds: readonly number[]
  byId(id: string): Asset
  /** The asset that a symbol names on a chain, or the fiat unit of that code. Throws `unknown_currency`. */
  bySymbol(symbol: string, chainId: number): Asset
  /** The price of one whole `from` in `to`; undefined where the configuration has none. */
  price(from: Asset, to: Asset): Price | undefined
  /** Converts at the configured price, rounded down; undefined where there is none. */
  convert(amount: BaseUnits, from: Asset, to: Asset): BaseUnits | undefined
}

/**
 * Decimals of a fiat unit of account: finer than a cent, so that rounding a converted donation
 * down never takes anything that a person would see.
 */
export const FIAT_DECIMALS = 8

const ONE: Price = { numerator: 1n, scale: 0 }

/**
 * The assets of a deployment: each chain's native coin and tokens, and a fiat unit for every code
 * that a price names. `prices` maps `ETH/USDC` to a decimal text. `retired` are assets that stored
 * amounts are still in although the configuration has dropped them: they can be read, not used.
 *
 * @throws StartError when two assets of a chain have one symbol
 */
export const createAssetCatalogue = (
  chains: readonly ChainAssets[],
  prices: Readonly<Record<string, string>>,
  retired: readonly Asset[] = [],
): AssetCatalogue => {
  const onChain = chains.flatMap((chain): Asset[] => [
    {
      id: `eip155:${chain.id}/slip44:60`,
      kind: 'native',
      chainId: chain.id,
      address: null,
      ...chain.native,
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
      }
    }),
  ])
  const symbols = new Set(onChain.map((asset) => asset.symbol))
  const fiat = [...new Set(Object.keys(prices).flatMap((pair) => pair.split('/')))]
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
  const byId = new Map([...retired, ...all].map((asset) => [asset.id, asset]))
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
  const priceOf = new Map(Object.entries(prices).map(([pair, text]) => [pair, parsePrice(text)]))

  const price = (from: Asset, to: Asset): Price | undefined =>
    from.id === to.id ? ONE : priceOf.get(`${from.symbol}/${to.symbol}`)

  return {
    all,
    chainIds: chains.map((chain) => chain.id),
    byId(id) {
      const asset = byId.get(id)
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
    price,
    convert(amount, from, to) {
      const rate = price(from, to)
      return rate && convertUnits(amount, from.decimals, rate, to.decimals)
    },
  }
}
