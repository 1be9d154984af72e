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

/** At most this number of phases are searched. A feed rarely starts a phase (a new aggregator). */
const MAX_PHASES = 8

type RoundSearch = {
  feed: string
  /** Whether the round was already complete at the wanted time. */
  isBefore: (round: Round) => boolean
  /** Whether the round is recent enough; if not, the previous phase may have a newer round. */
  isGood: (round: Round) => boolean
}

/**
 * Finds a feed's last round before a past time. Reads a recent state, because nodes may lack old
 * states. Searches the newest phase first, because phases may overlap in time. Returns the first
 * good round, otherwise the first round found, or null. Throws ChainError if nodes do not answer.
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
    // Drops rounds with another id, because a correct proxy returns the requested round.
    return (await source.callAt(recent, calls)).map((bytes, index) => {
      const round = readRound(bytes)
      return round?.roundId === roundIds[index] ? round : null
    })
  }
  const newestPhase = phaseOf(latest.roundId)
  const oldestPhase = newestPhase === 0n ? 0n : 1n
  for (let back = 0n; back < MAX_PHASES && newestPhase - back >= oldestPhase; back++) {
    // The last round of the newest phase is already known.
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
