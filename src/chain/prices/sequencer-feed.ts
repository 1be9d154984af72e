import { selectors } from '../../../contracts-abi/index.ts'
import type { ChainConfig } from '../../config/config.ts'
import type { PriceFailureReason } from '../../kernel/money/prices.ts'
import { ChainError } from '../errors.ts'
import { type FeedSource, type Round, readRound, type StatePoint } from './feed-rounds.ts'
import { findRound } from './find-round.ts'

const UP = 0n

type Failure = { reason: PriceFailureReason; why: string }

/**
 * Checks that a rollup's sequencer was up when a block was mined, and had been up for longer than
 * the grace period (Chainlink's "L2 Sequencer Uptime Feeds": answer 0 means up since `startedAt`).
 * Makes no calls for a chain without such a feed.
 */
export const createSequencerCheck = (
  sequencer: ChainConfig['sequencerFeed'],
  minedAt: Date,
): {
  calls: { to: string; data: string }[]
  /** Null if the sequencer was up. `results` are the answers to `calls`, if a node answered. */
  judge(
    results: readonly (string | null)[] | undefined,
    source: FeedSource,
    inRecent: <T>(read: (at: StatePoint) => Promise<T>) => Promise<T>,
  ): Promise<Failure | null>
} => {
  if (!sequencer) return { calls: [], judge: async () => null }
  const moment = BigInt(Math.floor(minedAt.getTime() / 1_000))
  const isBefore = ({ startedAt }: Round) => startedAt !== 0n && startedAt <= moment
  const feed = sequencer.address
  return {
    calls: [{ to: feed, data: selectors.latestRoundData }],
    async judge(results, source, inRecent) {
      let round = readRound(results?.[0])
      if (!round || round.updatedAt > moment) {
        try {
          round = await inRecent((at) =>
            findRound(source, at, { feed, isBefore, isGood: () => true }),
          )
        } catch (error) {
          if (!(error instanceof ChainError) || error.code === 'closed') throw error
          return { reason: 'price_unavailable', why: error.message }
        }
      }
      if (!round || !isBefore(round)) {
        return { reason: 'price_unavailable', why: 'The sequencer feed has no round.' }
      }
      if (round.answer !== UP) return down('The sequencer was down.')
      const upFor = moment - round.startedAt
      const grace = BigInt(sequencer.graceSeconds)
      return upFor > grace ? null : down(`The sequencer had been up for only ${upFor} seconds.`)
    },
  }
}

const down = (why: string): Failure => ({ reason: 'sequencer_down', why })
