import { selectors } from '../../../contracts-abi/index.ts'
import { ChainError } from '../errors.ts'
import {
  encodeRoundQuestion,
  type FeedSource,
  lastRoundBefore,
  phaseOf,
  type Round,
  readRound,
  type StatePoint,
} from './feed-rounds.ts'

/** How many phases are looked into: aggregators are replaced a few times in years. */
const MAX_PHASES = 8

export type RoundSearch = {
  feed: string
  /** Whether a round was complete and there at the moment that is asked about. */
  isBefore: (round: Round) => boolean
  /** Whether it is good enough; where it is not, the phase before may have a newer one. */
  isGood: (round: Round) => boolean
}

/**
 * The round that was a feed's latest at an earlier moment, where no node has the state of that
 * moment any more: by its rounds, as a recent block knows them. Each phase's rounds are in order,
 * phases may overlap: the newest phase with a good round has it, else the newest with any. Null
 * where there is none. Throws ChainError.
 */
export const findRound = async (
  source: FeedSource,
  recent: StatePoint,
  { feed, isBefore, isGood }: RoundSearch,
): Promise<Round | null> => {
  const [bytes] = await source.callAt(recent, [{ to: feed, data: selectors.latestRoundData }])
  const latest = readRound(bytes)
  if (!latest) return null
  let first = isBefore(latest) ? latest : null
  if (first && isGood(first)) return first
  const ask = async (roundIds: readonly bigint[]) => {
    const calls = roundIds.map((roundId) => ({ to: feed, data: encodeRoundQuestion(roundId) }))
    // A proxy answers for the round that it was asked for, and no other.
    return (await source.callAt(recent, calls)).map((bytes, index) => {
      const round = readRound(bytes)
      return round?.roundId === roundIds[index] ? round : null
    })
  }
  const newestPhase = phaseOf(latest.roundId)
  const oldestPhase = newestPhase === 0n ? 0n : 1n
  for (let back = 0n; back < MAX_PHASES && newestPhase - back >= oldestPhase; back++) {
    // The newest phase was answered by its latest round, if that was before.
    if (back === 0n && first) continue
    const newest = back === 0n ? BigInt.asUintN(64, latest.roundId) : null
    const found = await lastRoundBefore(ask, newestPhase - back, newest, isBefore)
    if (found === undefined) {
      throw new ChainError('bad_response', `The rounds of the feed ${feed} are in no order.`)
    }
    if (found && isGood(found)) return found
    first ??= found
  }
  return first
}
