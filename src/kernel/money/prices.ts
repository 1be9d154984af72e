import { StartError } from '../errors.ts'
import { type Price, parsePrice } from './money.ts'

/**
 * A configured price: a decimal text, or a list of prices with the time from which each is valid
 * (`[["2026-01-01T00:00:00Z", "2500"], …]`). Before the first time in a list there is no price.
 */
type ConfiguredPrice = string | readonly (readonly [since: string, price: string])[]

/** Configured prices by pair: `ETH/USDC` is the price of one whole ETH in USDC. */
export type PriceTable = Readonly<Record<string, ConfiguredPrice>>

/** One step of a conversion: at the price of `pair`, or at 1 / price if `inverse` is true. */
export type Leg = {
  readonly pair: string
  readonly inverse: boolean
  /** Whether the price comes from a feed of the chain or from the configuration. */
  readonly by: 'feed' | 'fixed'
}

/** The steps from one asset to another: at most two, and none if both assets are the same. */
export type Route = readonly Leg[]

type FixedPrices = (pair: string, at: Date) => Price | undefined

/** Reads configured prices. Throws StartError if a list is empty or not in order of time. */
export const createFixedPrices = (table: PriceTable): FixedPrices => {
  const pairs = new Map(
    Object.entries(table).map(([pair, price]) => [pair, readSteps(pair, price)]),
  )
  return (pair, at) => pairs.get(pair)?.findLast((step) => step.sinceMs <= at.getTime())?.price
}

type Step = { sinceMs: number; price: Price }

const readSteps = (pair: string, configured: ConfiguredPrice): Step[] => {
  if (typeof configured === 'string') {
    return [{ sinceMs: Number.NEGATIVE_INFINITY, price: parsePrice(configured) }]
  }
  const steps = configured.map(([since, price]) => ({
    sinceMs: Date.parse(since),
    price: parsePrice(price),
  }))
  const ordered = steps.every((step, index) => step.sinceMs > (steps[index - 1]?.sinceMs ?? -1e18))
  if (steps.length === 0 || !ordered) {
    throw new StartError(
      `Wrong setting: the prices of ${pair} must be in the order of their times.`,
    )
  }
  return steps
}

/**
 * Returns a function that finds the route from one symbol to another: a pair, its inverse, or two
 * pairs with a common symbol (ETH/USD and USDC/USD). If a feed on the route has no price now, the
 * conversion waits and does not use another route. Routes are preferred in this order:
 *
 * 1. feeds only, then a feed and a configured price, then configured prices only
 * 2. the shorter route
 * 3. a pair before its inverse
 * 4. the order of the configuration
 */
export const createRouter = (
  feedPairs: readonly string[],
  fixedPairs: readonly string[],
): ((from: string, to: string) => Route | undefined) => {
  const known = new Set(feedPairs)
  const pairs = [
    ...feedPairs.map((pair) => ({ pair, by: 'feed' as const })),
    ...fixedPairs
      .filter((pair) => !known.has(pair))
      .map((pair) => ({ pair, by: 'fixed' as const })),
  ]
  const steps = new Map<string, { to: string; leg: Leg }[]>()
  const add = (from: string, to: string, leg: Leg): void => {
    steps.set(from, [...(steps.get(from) ?? []), { to, leg }])
  }
  for (const { pair, by } of pairs) {
    const [base = '', quote = ''] = pair.split('/')
    add(base, quote, { pair, inverse: false, by })
    add(quote, base, { pair, inverse: true, by })
  }
  const find = (from: string, to: string): Route | undefined => {
    const ways = (steps.get(from) ?? []).flatMap((first): Route[] =>
      first.to === to
        ? [[first.leg]]
        : (steps.get(first.to) ?? [])
            .filter((second) => second.to === to)
            .map((second) => [first.leg, second.leg]),
    )
    // Sorting is stable, so equal routes keep the order of the configuration.
    return ways.toSorted((a, b) => rank(a) - rank(b))[0]
  }
  const found = new Map<string, Route | undefined>()
  return (from, to) => {
    const pair = `${from}/${to}`
    if (!found.has(pair)) found.set(pair, find(from, to))
    return found.get(pair)
  }
}

/** The route with the lowest rank is preferred. */
const rank = (route: Route): number => {
  const feeds = route.filter((leg) => leg.by === 'feed').length
  const kind = feeds === route.length ? 0 : feeds > 0 ? 1 : 2
  const inverses = route.filter((leg) => leg.inverse).length
  return kind * 100 + route.length * 10 + inverses
}

/** Multiplies the prices of a route's steps exactly. Returns undefined if a step has no price. */
export const priceAlong = (
  route: Route,
  priceOf: (leg: Leg) => Price | undefined,
): Price | undefined => {
  let price: Price = { numerator: 1n, denominator: 1n }
  for (const leg of route) {
    const step = priceOf(leg)
    if (!step) return undefined
    price = {
      numerator: price.numerator * (leg.inverse ? step.denominator : step.numerator),
      denominator: price.denominator * (leg.inverse ? step.numerator : step.denominator),
    }
  }
  return price
}

/** A question for the price of a pair at a block. */
export type PriceQuestion = {
  readonly pair: string
  readonly block: { readonly number: number; readonly hash: string; readonly minedAt: Date }
}

/** A feed's price at a block. `price` is `answer / 10^decimals` as a decimal text. */
export type FeedPrice = {
  readonly pair: string
  readonly blockNumber: number
  readonly blockHash: string
  readonly price: string
  /** The address of the feed's contract. */
  readonly feed: string
  readonly roundId: string
  readonly answer: string
  readonly decimals: number
  readonly updatedAt: Date
  /** Where the price was found: in the block's state, or in the feed's list of earlier rounds. */
  readonly method: 'block' | 'round'
}

/**
 * A step of a conversion, stored with a donation: a feed's answer, or the configured price.
 * `inverse` is true if the step converts the pair's second symbol into its first symbol.
 */
export type PriceSource = Pick<FeedPrice, 'pair' | 'price'> &
  Partial<Pick<FeedPrice, 'feed' | 'roundId' | 'answer' | 'decimals'>> & {
    inverse: boolean
    method: FeedPrice['method'] | 'fixed'
    /** When the feed updated its price, in ISO 8601; only for a feed. */
    updatedAt?: string
  }

/** The reasons for a missing price. The price may become available later. */
export const PRICE_FAILURE_REASONS = ['price_unavailable', 'price_stale', 'sequencer_down'] as const
export type PriceFailureReason = (typeof PRICE_FAILURE_REASONS)[number]

export type PriceFailure = {
  readonly pair: string
  readonly blockNumber: number
  readonly blockHash: string
  readonly reason: PriceFailureReason
  /** The reason, as one sentence for the log. */
  readonly why: string
}
