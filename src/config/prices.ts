import { z } from 'zod'

/** The settings that say where prices come from, and the words that they share with the others. */

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 20 bytes')
  .transform((text) => text.toLowerCase())

export const symbol = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,16}$/, 'must be 1 to 16 letters, digits or dots')

/** A positive decimal text. */
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
  /** How often it is written at least. An answer older than that, and the slack, is not used. */
  heartbeatSeconds: z.int().min(1).max(31_536_000),
  slackSeconds: z.int().min(0).max(86_400).default(600),
  /**
   * An answer at or beyond a bound is not used: a feed that has hit its own bound stands still
   * there.
   */
  minAnswer: decimal.optional(),
  maxAnswer: decimal.optional(),
  /** What the contract calls itself; default: the pair as `ETH / USD`. */
  description: z.string().min(1).max(80).optional(),
})

/** A rollup's feed of whether its sequencer is up, and how long it must have been. */
export const SequencerFeed = z.strictObject({
  address,
  graceSeconds: z.int().min(0).max(86_400).default(3_600),
})

/** Each pair once. */
export const PriceFeeds = z
  .array(PriceFeed)
  .max(50)
  .refine((feeds) => new Set(feeds.map((one) => one.pair)).size === feeds.length, {
    error: 'names a pair twice',
  })
  .default([])

/** A price for ever, or prices that are each valid from their moment on. */
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
