import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAssetCatalogue } from '../../../src/kernel/money/assets.ts'
import {
  asBaseUnits,
  convertUnits,
  formatPrice,
  parsePrice,
} from '../../../src/kernel/money/money.ts'
import { createFixedPrices, createRouter, priceAlong } from '../../../src/kernel/money/prices.ts'

/**
 * Writes a route as words, such as `feed ETH/USD`, or `fixed 1/ETH/USD` for the inverse direction.
 */
const words = (feeds: string[], fixed: string[], from: string, to: string) =>
  createRouter(feeds, fixed)(from, to)?.map(
    (leg) => `${leg.by} ${leg.inverse ? '1/' : ''}${leg.pair}`,
  )

describe('the way from one asset to another', () => {
  test.each([
    ['a pair', [], ['ETH/USD'], ['fixed ETH/USD']],
    ['the inverse of a pair', [], ['USD/ETH'], ['fixed 1/USD/ETH']],
    ['a pair before its inverse', [], ['USD/ETH', 'ETH/USD'], ['fixed ETH/USD']],
    ['a feed before a configured price', ['ETH/USD'], ['ETH/USD'], ['feed ETH/USD']],
    [
      'the inverse of a feed before a configured price',
      ['USD/ETH'],
      ['ETH/USD'],
      ['feed 1/USD/ETH'],
    ],
    ['a unit in common', ['ETH/BTC', 'USD/BTC'], [], ['feed ETH/BTC', 'feed 1/USD/BTC']],
    [
      'two feeds before one configured price',
      ['ETH/BTC', 'BTC/USD'],
      ['ETH/USD'],
      ['feed ETH/BTC', 'feed BTC/USD'],
    ],
    [
      'a feed and a configured price before a configured price alone',
      ['ETH/BTC'],
      ['ETH/USD', 'BTC/USD'],
      ['feed ETH/BTC', 'fixed BTC/USD'],
    ],
    [
      'a configured price before two of them',
      [],
      ['ETH/BTC', 'BTC/USD', 'ETH/USD'],
      ['fixed ETH/USD'],
    ],
    [
      'the first of two units in common',
      [],
      ['ETH/EUR', 'EUR/USD', 'ETH/BTC', 'BTC/USD'],
      ['fixed ETH/EUR', 'fixed EUR/USD'],
    ],
    ['nothing where three steps would lead', [], ['ETH/A', 'A/B', 'B/USD'], undefined],
  ])('is %s', (_name, feeds, fixed, expected) => {
    expect(words(feeds, fixed, 'ETH', 'USD')).toEqual(expected)
  })
})

describe('a list of prices', () => {
  const list = createFixedPrices({
    'ETH/USD': [
      ['2026-01-01T00:00:00Z', '2500'],
      ['2026-02-01T00:00:00Z', '2600.5'],
    ],
    'USDC/USD': '1',
  })
  const priceAt = (time: string) => {
    const price = list('ETH/USD', new Date(time))
    return price && formatPrice(price)
  }

  test('says nothing before its first moment, then each price from its moment on', () => {
    expect(priceAt('2025-12-31T23:59:59.999Z')).toBeUndefined()
    expect(priceAt('2026-01-01T00:00:00Z')).toBe('2500')
    expect(priceAt('2026-01-31T23:59:59.999Z')).toBe('2500')
    expect(priceAt('2026-02-01T00:00:00Z')).toBe('2600.5')
    expect(priceAt('2099-01-01T00:00:00Z')).toBe('2600.5')
  })

  test('must be in the order of its times', () => {
    const turned = [
      ['2026-02-01T00:00:00Z', '1'],
      ['2026-01-01T00:00:00Z', '2'],
    ] as const
    expect(() => createFixedPrices({ 'ETH/USD': turned })).toThrow(
      'Wrong setting: the prices of ETH/USD must be in the order of their times.',
    )
  })
})

test('a feed makes the units that it names, and its conversions are known to need it', () => {
  const chain = {
    id: 1,
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [{ symbol: 'USDC', address: `0x${'ab'.repeat(20)}`, decimals: 6 }],
    feeds: [{ pair: 'ETH/USD' }],
  }
  const assets = createAssetCatalogue([chain], { 'USDC/USD': '1' })
  expect(assets.bySymbol('USD', 1).id).toBe('iso4217:USD')
  const symbolOf = (id: string) => assets.byId(id).symbol
  const needs = assets
    .feedNeeds(1)
    .map(({ assetId, currencyId, pair }) => [symbolOf(assetId), symbolOf(currencyId), pair])
  expect(needs).toEqual([
    ['ETH', 'USDC', 'ETH/USD'],
    ['ETH', 'USD', 'ETH/USD'],
    ['USDC', 'ETH', 'ETH/USD'],
  ])
  expect(assets.feedNeeds(2)).toEqual([])
})

/**
 * Exact arithmetic with plain fractions, to compare with. A fraction is never reduced or rounded.
 */
const floorOf = (numerator: bigint, denominator: bigint): bigint =>
  (numerator - (numerator % denominator)) / denominator

describe('a conversion', () => {
  const decimals = fc.integer({ min: 0, max: 36 })
  const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
  const answer = fc.bigInt({ min: 1n, max: 2n ** 128n })
  const leg = fc.record({ answer, scale: decimals, inverse: fc.boolean() })

  test('over any steps is exact to the base unit, rounded down once', () => {
    fc.assert(
      fc.property(
        amount,
        decimals,
        decimals,
        fc.array(leg, { minLength: 1, maxLength: 2 }),
        (units, fromDecimals, toDecimals, legs) => {
          const route = legs.map((one, index) => ({
            pair: String(index),
            inverse: one.inverse,
            by: 'feed' as const,
          }))
          const price = priceAlong(route, ({ pair }) => {
            const one = legs[Number(pair)]
            return one && { numerator: one.answer, denominator: 10n ** BigInt(one.scale) }
          })
          let [numerator, denominator] = [units, 1n]
          for (const one of legs) {
            const [up, down] = [one.answer, 10n ** BigInt(one.scale)]
            numerator *= one.inverse ? down : up
            denominator *= one.inverse ? up : down
          }
          const expected = floorOf(
            numerator * 10n ** BigInt(toDecimals),
            denominator * 10n ** BigInt(fromDecimals),
          )
          expect(price && convertUnits(asBaseUnits(units), fromDecimals, price, toDecimals)).toBe(
            expected,
          )
        },
      ),
    )
  })

  test('there and back never makes more of an amount', () => {
    fc.assert(
      fc.property(
        amount,
        decimals,
        decimals,
        answer,
        decimals,
        (units, from, to, answered, scale) => {
          const price = { numerator: answered, denominator: 10n ** BigInt(scale) }
          const back = { numerator: price.denominator, denominator: price.numerator }
          const there = convertUnits(asBaseUnits(units), from, price, to)
          expect(convertUnits(there, to, back, from)).toBeLessThanOrEqual(units)
        },
      ),
    )
  })
})

describe('a price as text', () => {
  test.each([
    ['2500', '2500'],
    ['2500.25', '2500.25'],
    ['0.000000000000000000000000000001', '0.000000000000000000000000000001'],
    [`${'9'.repeat(30)}.${'9'.repeat(30)}`, `${'9'.repeat(30)}.${'9'.repeat(30)}`],
  ])('keeps every digit of %s', (text, expected) => {
    expect(formatPrice(parsePrice(text))).toBe(expected)
  })

  test.each([
    [1n, 3n, '0.333333333333333333'],
    [2n, 3n, '0.666666666666666666'],
    [1n, 250_000_000_001n, '0.00000000000399999999998400000'],
    [10n ** 40n, 3n, '3333333333333333333333333333333333333333'],
  ])('has 18 digits of %s / %s, which does not end', (numerator, denominator, expected) => {
    expect(formatPrice({ numerator, denominator })).toBe(expected.replace(/0+$/, ''))
  })
})
