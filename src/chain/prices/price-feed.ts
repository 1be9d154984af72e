import { AbiCoder } from 'ethers'
import { selectors } from '../../../contracts-abi/index.ts'
import type { ChainConfig } from '../../config/config.ts'
import { foreignText } from '../../kernel/formats/foreign-text.ts'
import { formatUnits, parsePrice } from '../../kernel/money/money.ts'
import type {
  FeedPrice,
  PriceFailure,
  PriceFailureReason,
  PriceQuestion,
} from '../../kernel/money/prices.ts'
import { ChainError } from '../errors.ts'
import type { Heads } from '../types.ts'
import { type FeedSource, type Round, readRound, type StatePoint } from './feed-rounds.ts'
import { findRound } from './find-round.ts'
import { createSequencerCheck } from './sequencer-feed.ts'

type FeedChain = Pick<ChainConfig, 'id' | 'feeds' | 'sequencerFeed'>
type PriceFeed = FeedChain['feeds'][number]
type PriceAnswers = { prices: FeedPrice[]; failures: PriceFailure[] }

type FeedReply = { round: Round | null; decimals: number | null; description: string | null }
type PriceResult = { price: FeedPrice } | { reason: PriceFailureReason; why: string }

const MAX_DECIMALS = 36
const BLOCKS_AT_ONCE = 8

/**
 * Reads prices of Chainlink feeds: the latest round in each block's state or, if no node has this
 * state, the last round before the block (`method: 'round'`). Each question gets a price or a
 * failure; a bad answer of a node or feed does not throw. Rejects prices:
 *
 * - at or below zero, or outside the feed's bounds
 * - of an incomplete round, or newer than the block
 * - older than the feed's heartbeat plus slack
 * - with unsupported decimals, or of a feed with another description
 * - on a rollup: during a downtime of its sequencer, or in the grace period after a downtime
 */
export const readPriceFeeds = async (
  source: FeedSource,
  chain: FeedChain,
  questions: readonly PriceQuestion[],
): Promise<PriceAnswers> => {
  const answers: PriceAnswers = { prices: [], failures: [] }
  const recent = createRecentBlocks(source)
  const byBlock = Map.groupBy(questions, (question) => question.block.hash)
  const blocks = [...byBlock.values()]
  for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
    const some = blocks.slice(from, from + BLOCKS_AT_ONCE)
    const read = await Promise.all(some.map((asked) => readBlock(source, chain, asked, recent)))
    for (const [index, results] of read.entries()) {
      for (const [at, result] of results.entries()) {
        const question = some[index]?.[at]
        if (!question) continue
        if ('price' in result) answers.prices.push(result.price)
        else answers.failures.push({ ...priceKeyOf(question), ...result })
      }
    }
  }
  return answers
}

type RecentBlocks = <T>(block: StatePoint, read: (recent: StatePoint) => Promise<T>) => Promise<T>

/** Runs `read` at the finalized block. If this is not possible, runs it at the latest block. */
const createRecentBlocks = (source: FeedSource): RecentBlocks => {
  let asking: Promise<Heads> | undefined
  return async (block, read) => {
    asking ??= source.heads()
    const { latest, finalizedNumber, finalizedHash } = await asking
    if (finalizedNumber !== null && finalizedHash !== null && finalizedNumber >= block.number) {
      try {
        return await read({ number: finalizedNumber, hash: finalizedHash })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
      }
    }
    if (latest.number < block.number) {
      throw new ChainError('block_missing', `The nodes are behind block ${block.number}.`)
    }
    return read(latest)
  }
}

/** Returns the results of questions about one block, in the order of the questions. */
const readBlock = async (
  source: FeedSource,
  chain: FeedChain,
  questions: readonly PriceQuestion[],
  recent: RecentBlocks,
): Promise<PriceResult[]> => {
  const block = questions[0]?.block
  if (!block) return []
  const feeds = questions.map(({ pair }) => chain.feeds.find((feed) => feed.pair === pair))
  const sequencer = createSequencerCheck(chain.sequencerFeed, block.minedAt)
  const calls = [...sequencer.calls, ...feeds.flatMap((feed) => (feed ? callsOf(feed) : []))]
  const results = await withoutState(() => source.callAt(block, calls))
  let next = sequencer.calls.length
  const replies = feeds.map((feed): FeedReply | null => {
    if (!feed || !results) return null
    next += CALLS_OF_FEED
    return readReply(results.slice(next - CALLS_OF_FEED, next))
  })
  const inRecent = <T>(read: (at: StatePoint) => Promise<T>) => recent(block, read)
  const trouble = await sequencer.judge(results?.slice(0, sequencer.calls.length), source, inRecent)
  return Promise.all(
    questions.map(async (question, index): Promise<PriceResult> => {
      const feed = feeds[index]
      if (!feed) return unavailable(`No feed of ${question.pair} is configured.`)
      if (trouble) return trouble
      const here = replies[index]
      if (here && isOfBlock(here, question)) return judge(feed, question, here, 'block')
      return judgeByRounds(feed, question, source, inRecent)
    }),
  )
}

/** Returns undefined if no node answers, for example because no node has the state. */
const withoutState = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainError && error.code !== 'closed') return undefined
    throw error
  }
}

const CALLS_OF_FEED = 3
const callsOf = ({ address }: PriceFeed) => [
  { to: address, data: selectors.latestRoundData },
  { to: address, data: selectors.decimals },
  { to: address, data: selectors.description },
]

const readReply = ([round, decimals, description]: readonly (string | null)[]): FeedReply => ({
  round: readRound(round),
  decimals: decode('uint256', decimals, (value) => Number(value)),
  description: decode('string', description, String),
})

const decode = <T>(
  type: string,
  bytes: string | null | undefined,
  read: (value: unknown) => T,
): T | null => {
  try {
    return read(AbiCoder.defaultAbiCoder().decode([type], bytes ?? '0x')[0])
  } catch {
    return null
  }
}

/** False if the node returned no round, or a round from a state after the block. */
const isOfBlock = ({ round }: FeedReply, { block }: PriceQuestion): boolean =>
  round !== null && round.updatedAt <= seconds(block.minedAt)

const judgeByRounds = async (
  feed: PriceFeed,
  question: PriceQuestion,
  source: FeedSource,
  inRecent: <T>(read: (at: StatePoint) => Promise<T>) => Promise<T>,
): Promise<PriceResult> => {
  const moment = seconds(question.block.minedAt)
  try {
    return await inRecent(async (at) => {
      const round = await findRound(source, at, {
        feed: feed.address,
        isBefore: ({ updatedAt }) => updatedAt !== 0n && updatedAt <= moment,
        isGood: ({ updatedAt }) => moment - updatedAt <= maxAge(feed),
      })
      if (!round) return unavailable(`${feed.pair} has no round before the block.`)
      const itself = await source.callAt(at, callsOf(feed).slice(1))
      return judge(feed, question, { ...readReply([null, ...itself]), round }, 'round')
    })
  } catch (error) {
    if (error instanceof ChainError && error.code !== 'closed') return unavailable(error.message)
    throw error
  }
}

const judge = (
  feed: PriceFeed,
  question: PriceQuestion,
  { round, decimals, description }: FeedReply,
  method: FeedPrice['method'],
): PriceResult => {
  const { pair } = feed
  const name = feed.description ?? pair.replace('/', ' / ')
  if (description !== name) {
    return unavailable(`The feed of ${pair} has the description ${JSON.stringify(description)}.`)
  }
  if (decimals === null || decimals > MAX_DECIMALS) {
    return unavailable(`The feed of ${pair} has unsupported decimals.`)
  }
  if (!round || round.roundId === 0n || round.updatedAt === 0n) {
    return unavailable(`The feed of ${pair} has no complete round.`)
  }
  if (round.answer <= 0n || isOutOfBounds(feed, round.answer, decimals)) {
    return unavailable(`The feed of ${pair} answers ${round.answer}.`)
  }
  const age = seconds(question.block.minedAt) - round.updatedAt
  if (age > maxAge(feed)) {
    return { reason: 'price_stale', why: `The answer of ${pair} was ${age} seconds old.` }
  }
  return {
    price: {
      ...priceKeyOf(question),
      price: formatUnits(round.answer, decimals),
      feed: feed.address,
      roundId: round.roundId.toString(),
      answer: round.answer.toString(),
      decimals,
      updatedAt: new Date(Number(round.updatedAt) * 1_000),
      method,
    },
  }
}

/** A feed cannot report a price beyond its bounds, so an answer at a bound may be wrong. */
const isOutOfBounds = ({ minAnswer, maxAnswer }: PriceFeed, answer: bigint, decimals: number) => {
  const compare = (text: string): bigint => {
    const { numerator, denominator } = parsePrice(text)
    return answer * denominator - numerator * 10n ** BigInt(decimals)
  }
  return (
    (minAnswer !== undefined && compare(minAnswer) <= 0n) ||
    (maxAnswer !== undefined && compare(maxAnswer) >= 0n)
  )
}

const unavailable = (why: string): PriceResult => ({
  reason: 'price_unavailable',
  why: foreignText(why),
})

const maxAge = (feed: PriceFeed): bigint => BigInt(feed.heartbeatSeconds + feed.slackSeconds)

const seconds = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1_000))

const priceKeyOf = ({ pair, block }: PriceQuestion) => ({
  pair,
  blockNumber: block.number,
  blockHash: block.hash,
})
