import { expect, test } from 'vitest'
import type { Context } from '../../../../src/db/context.ts'
import { createAssetCatalogue } from '../../../../src/kernel/money/assets.ts'
import { worthOf } from '../../../../src/pages/donation/worth.ts'
import { donations } from './support/tracked.ts'

const address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const chain = {
  id: 1,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [{ symbol: 'USDC', address, decimals: 6 }],
}
const prices = {
  'USDC/USD': [
    ['2026-01-01T00:00:00Z', '0.9998'],
    ['2026-06-01T00:00:00Z', '1.5'],
  ],
} as const

const contextWith = (table: Parameters<typeof createAssetCatalogue>[1]) =>
  ({ settings: { assets: createAssetCatalogue([chain], table) } }) as Context

test('takes the price of the time of the block, and never a later one', () => {
  const worthAt = (time: string) =>
    worthOf(contextWith(prices), donations.completed(), new Date(time))
  expect(worthAt('2026-05-31T23:59:59Z')).toEqual({
    money: { value: '24.99', currency: 'USD' },
    price: '0.9998',
  })
  expect(worthAt('2025-12-31T23:59:59Z')).toBeNull()
})

test('names no worth without a price, a block or a credit', () => {
  const at = new Date('2026-05-31T00:00:00Z')
  expect(worthOf(contextWith({}), donations.completed(), at)).toBeNull()
  expect(worthOf(contextWith(prices), donations.completed(), null)).toBeNull()
  expect(worthOf(contextWith(prices), donations.confirming(), at)).toBeNull()
})
