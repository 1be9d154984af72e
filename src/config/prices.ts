import { z } from 'zod'

/** The settings of prices, and types of values that other settings use as well. */

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 20 bytes')
  .transform((text) => text.toLowerCase())

export const symbol = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,16}$/, 'must be 1 to 16 letters, digits or dots')

/** A decimal number as text, without sign or exponent. */
export const decimal = z
  .string()
  .regex(/^\d{1,30}(\.\d{1,30})?$/, 'must be a decimal text such as "2500.5"')

const pair = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,16}\/[A-Za-z0-9.]{1,16}$/, 'must be two units such as "ETH/USD"')
  .refine((text) => text.split('/')[0] !== text.split('/')[1], 'must name two different units')

const price = decimal.refine((text) => /[1-9]/.test(text), 'must be above zero')

/** A contract with Chainlink's AggregatorV3Interface. */
const PriceFeed = z.strictObject({
  pair,
  address,
  /** The longest pause between updates. A price is used up to this age plus `slackSeconds`. */
  heartbeatSeconds: z.int().min(1).max(31_536_000),
  slackSeconds: z.int().min(0).max(86_400).default(600),
  /** A price at or beyond a bound is not used, because the feed may be stuck at its limit. */
  minAnswer: decimal.optional(),
  maxAnswer: decimal.optional(),
  /** The description that the contract must return. Default: the pair, such as `ETH / USD`. */
  description: z.string().min(1).max(80).optional(),
})

/**
 * A feed that reports whether a rollup's sequencer is up. After an outage, prices are used again
 * when the sequencer has been up for `graceSeconds`.
 */
export const SequencerFeed = z.strictObject({
  address,
  graceSeconds: z.int().min(0).max(86_400).default(3_600),
})

/** The price feeds of a chain, at most one per pair. */
export const PriceFeeds = z
  .array(PriceFeed)
  .max(50)
  .refine((feeds) => new Set(feeds.map((one) => one.pair)).size === feeds.length, {
    error: 'names a pair twice',
  })
  .default([])

/** One price for all times, or a list of prices with the time from which each price counts. */
const ConfiguredPrice = z.union(
  [
    price,
    z
      .array(z.tuple([z.iso.datetime({ offset: true }), price]))
      .min(1)
      .max(10_000),
  ],
  'must be a decimal text such as "2500.5", or a list of [time, price]',
)

export const Prices = z.record(pair, ConfiguredPrice)
