import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { requiredVerifiers } from '../../../src/domain/shared/index.ts'
import { type ChainAssets, createAssetCatalogue } from '../../../src/kernel/money/assets.ts'
import type { PriceTable } from '../../../src/kernel/money/prices.ts'

const CHAIN: ChainAssets = {
  id: 1,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [{ symbol: 'USDC', address: `0x${'ab'.repeat(20)}`, decimals: 6 }],
}
const NOW = new Date('2026-03-01T00:00:00Z')

/**
 * How many verifiers a milestone of this amount of ether needs, with a threshold of 10 000 USDC.
 */
const needed = (ether: bigint, feeds: string[], prices: PriceTable) => {
  const assets = createAssetCatalogue(
    [{ ...CHAIN, feeds: feeds.map((pair) => ({ pair })) }],
    prices,
  )
  const settings = {
    assets,
    defaultCurrency: 'USDC',
    multisigThreshold: '10000',
    multisigRequired: 3,
  }
  const ctx = { settings, clock: { now: () => NOW } } as Context
  const currencyId = assets.bySymbol('ETH', 1).id
  return requiredVerifiers(ctx, { chainId: 1, currencyId, amount: String(ether * 10n ** 18n) })
}

test.each<[string, bigint, string[], PriceTable, number]>([
  ['at the configured price: the threshold', 4n, [], { 'ETH/USDC': '2500' }, 1],
  ['at the configured price: above it', 5n, [], { 'ETH/USDC': '2500' }, 3],
  ['through a unit in common', 5n, [], { 'ETH/USD': '2500', 'USDC/USD': '1' }, 3],
  [
    'at the price of a list that holds now',
    4n,
    [],
    {
      'ETH/USDC': [
        ['2026-01-01T00:00:00Z', '2500'],
        ['2026-02-01T00:00:00Z', '2500.01'],
        ['2026-04-01T00:00:00Z', '1'],
      ],
    },
    3,
  ],
  ['at the configured price, also if there is a feed', 4n, ['ETH/USDC'], { 'ETH/USDC': '2500' }, 1],
  ['by several, where only a feed could tell its worth', 1n, ['ETH/USDC'], {}, 3],
  ['one for one, where nothing could', 1n, [], {}, 1],
])('a milestone is measured %s', (_how, ether, feeds, prices, expected) => {
  expect(needed(ether, feeds, prices)).toBe(expected)
})
