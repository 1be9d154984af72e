import { AbiCoder } from 'ethers'
import { selectors } from '../../../contracts-abi/index.ts'
import type { ChainConfig } from '../../config/config.ts'
import { formatUnits, parsePrice } from '../../kernel/money.ts'
import type { FeedPrice, PriceFailure, PriceQuestion, PriceTrouble } from '../../kernel/prices.ts'
import { ChainError } from '../errors.ts'
import type { Heads } from '../types.ts'
import { type FeedSource, type Round, readRound, type StatePoint } from './feed-rounds.ts'
import { findRound } from './find-round.ts'
import { createSequencerCheck } from './sequencer-feed.ts'

export type FeedChain = Pick<ChainConfig, 'id' | 'feeds' | 'sequencerFeed'>
export type PriceFeed = FeedChain['feeds'][number]
export type PriceAnswers = { prices: FeedPrice[]; failures: PriceFailure[] }

/** What one feed says of itself and of a moment. */
type Told = { round: Round | null; decimals: number | null; description: string | null }
type Verdict = { price: FeedPrice } | { reason: PriceTrouble; why: string }

const MAX_DECIMALS = 36
const BLOCKS_AT_ONCE = 8

/**
 * Reads prices of feeds (Chainlink's AggregatorV3Interface) as they were at blocks. Each is what the
 * feed's latest round was in the state of that block, as `callAt` has it agreed by the nodes. A price
 * is refused that is not above zero, beyond the feed's bounds, not complete, from after the block,
 * older than heartbeat and slack, in other decimals than can be, or of a contract that calls itself
 * otherwise; on a rollup also one from while its sequencer was down, or not up again for long.
 *
 * Nodes without the state of an old block refuse, answer nothing, or answer with their newest state.
 * Then the feed's rounds are searched for the last one before the block (`method: 'round'`).
 *
 * Never throws for what a node or a feed says: each question has its price or its failure.
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
    for (const [index, verdicts] of read.entries()) {
      for (const [at, verdict] of verdicts.entries()) {
        const question = some[index]?.[at]
        if (!question) continue
        if ('price' in verdict) answers.prices.push(verdict.price)
        else answers.failures.push({ ...placeOf(question), ...verdict })
      }
    }
  }
  return answers
}

type RecentBlocks = <T>(block: StatePoint, read: (recent: StatePoint) => Promise<T>) => Promise<T>

/** Reads at the final block, which every node has, else at the newest, whose state every node has. */
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

/** The verdicts on questions about one block, in their order. */
const readBlock = async (
  source: FeedSource,
  chain: FeedChain,
  questions: readonly PriceQuestion[],
  recent: RecentBlocks,
): Promise<Verdict[]> => {
  const block = questions[0]?.block
  if (!block) return []
  const feeds = questions.map(({ pair }) => chain.feeds.find((feed) => feed.pair === pair))
  const sequencer = createSequencerCheck(chain.sequencerFeed, block.minedAt)
  const calls = [...sequencer.calls, ...feeds.flatMap((feed) => (feed ? callsOf(feed) : []))]
  const results = await withoutState(() => source.callAt(block, calls))
  let next = sequencer.calls.length
  const told = feeds.map((feed): Told | null => {
    if (!feed || !results) return null
    next += CALLS_OF_FEED
    return toldBy(results.slice(next - CALLS_OF_FEED, next))
  })
  const inRecent = <T>(read: (at: StatePoint) => Promise<T>) => recent(block, read)
  const trouble = await sequencer.judge(results?.slice(0, sequencer.calls.length), source, inRecent)
  return Promise.all(
    questions.map(async (question, index): Promise<Verdict> => {
      const feed = feeds[index]
      if (!feed) return unavailable(`No feed of ${question.pair} is configured.`)
      if (trouble) return trouble
      const here = told[index]
      if (here && isOfBlock(here, question)) return judge(feed, question, here, 'block')
      return judgeByRounds(feed, question, source, inRecent)
    }),
  )
}

/** Undefined where no node could, or would, answer. */
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

const toldBy = ([round, decimals, description]: readonly (string | null)[]): Told => ({
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

/** False for the state of another, later block, and where there was no state at all. */
const isOfBlock = ({ round }: Told, { block }: PriceQuestion): boolean =>
  round !== null && round.updatedAt <= seconds(block.minedAt)

const judgeByRounds = async (
  feed: PriceFeed,
  question: PriceQuestion,
  source: FeedSource,
  inRecent: <T>(read: (at: StatePoint) => Promise<T>) => Promise<T>,
): Promise<Verdict> => {
  const moment = seconds(question.block.minedAt)
  try {
    return await inRecent(async (at) => {
      const round = await findRound(source, at, {
        feed: feed.address,
        isBefore: ({ updatedAt }) => updatedAt !== 0n && updatedAt <= moment,
        isGood: ({ updatedAt }) => moment - updatedAt <= patience(feed),
      })
      if (!round) return unavailable(`${feed.pair} has no round before the block.`)
      const itself = await source.callAt(at, callsOf(feed).slice(1))
      return judge(feed, question, { ...toldBy([null, ...itself]), round }, 'round')
    })
  } catch (error) {
    if (error instanceof ChainError && error.code !== 'closed') return unavailable(error.message)
    throw error
  }
}

const judge = (
  feed: PriceFeed,
  question: PriceQuestion,
  { round, decimals, description }: Told,
  method: FeedPrice['method'],
): Verdict => {
  const { pair } = feed
  const name = feed.description ?? pair.replace('/', ' / ')
  if (description !== name) {
    return unavailable(`The feed of ${pair} calls itself ${JSON.stringify(description)}.`)
  }
  if (decimals === null || decimals > MAX_DECIMALS) {
    return unavailable(`The feed of ${pair} does not say its decimals.`)
  }
  if (!round || round.roundId === 0n || round.updatedAt === 0n) {
    return unavailable(`The feed of ${pair} has no complete round.`)
  }
  if (round.answer <= 0n || isBeyond(feed, round.answer, decimals)) {
    return unavailable(`The feed of ${pair} answers ${round.answer}.`)
  }
  const age = seconds(question.block.minedAt) - round.updatedAt
  if (age > patience(feed)) {
    return { reason: 'price_stale', why: `The answer of ${pair} was ${age} seconds old.` }
  }
  return {
    price: {
      ...placeOf(question),
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

/** A feed that has hit a bound of its own stands still there, so the bound itself is beyond. */
const isBeyond = ({ minAnswer, maxAnswer }: PriceFeed, answer: bigint, decimals: number) => {
  const compare = (text: string): bigint => {
    const { numerator, denominator } = parsePrice(text)
    return answer * denominator - numerator * 10n ** BigInt(decimals)
  }
  return (
    (minAnswer !== undefined && compare(minAnswer) <= 0n) ||
    (maxAnswer !== undefined && compare(maxAnswer) >= 0n)
  )
}

const unavailable = (why: string): Verdict => ({ reason: 'price_unavailable', why })

const patience = (feed: PriceFeed): bigint => BigInt(feed.heartbeatSeconds + feed.slackSeconds)

const seconds = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1_000))

const placeOf = ({ pair, block }: PriceQuestion) => ({
  pair,
  blockNumber: block.number,
  blockHash: block.hash,
})
