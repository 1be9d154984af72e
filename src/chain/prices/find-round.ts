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

/** How many phases to search: an aggregator is replaced once in some years. */
const MAX_PHASES = 8

type RoundSearch = {
  feed: string
  /** Whether the round existed and was complete at the moment in question. */
  isBefore: (round: Round) => boolean
  /** Whether the round is recent enough; if not, the previous phase may have a newer one. */
  isGood: (round: Round) => boolean
}

/**
 * Finds the latest round of a feed at an earlier moment by the rounds in a recent state, for nodes
 * without the old state. Phases may overlap: takes the newest phase with a good round, else the
 * newest phase with any round. Null if there is none. Throws ChainError.
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
    // A correct proxy returns the requested round.
    return (await source.callAt(recent, calls)).map((bytes, index) => {
      const round = readRound(bytes)
      return round?.roundId === roundIds[index] ? round : null
    })
  }
  const newestPhase = phaseOf(latest.roundId)
  const oldestPhase = newestPhase === 0n ? 0n : 1n
  for (let back = 0n; back < MAX_PHASES && newestPhase - back >= oldestPhase; back++) {
    // `first` is already the newest phase's last round.
    if (back === 0n && first) continue
    const newest = back === 0n ? BigInt.asUintN(64, latest.roundId) : null
    const found = await lastRoundBefore(ask, newestPhase - back, newest, isBefore)
    if (found === undefined) {
      throw new ChainError('bad_response', `The rounds of feed ${feed} are not in order.`)
    }
    if (found && isGood(found)) return found
    first ??= found
  }
  return first
}
