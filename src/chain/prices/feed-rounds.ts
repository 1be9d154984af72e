import { selectors } from '../../../contracts-abi/index.ts'
import type { Heads } from '../types.ts'

/** A block whose state is read. */
export type StatePoint = { readonly number: number; readonly hash: string }

/** The part of ChainClient that is needed to read price feeds. */
export type FeedSource = {
  callAt(
    block: StatePoint,
    calls: readonly { to: string; data: string }[],
  ): Promise<(string | null)[]>
  heads(): Promise<Heads>
}

/**
 * A round: one reported answer of a feed (Chainlink's AggregatorV3Interface). The lower 64 bits of
 * the id count the rounds of one aggregator; the upper bits are the phase, which counts the
 * aggregators that the feed's proxy has used. Times are in seconds.
 */
export type Round = { roundId: bigint; answer: bigint; startedAt: bigint; updatedAt: bigint }

/** Reads rounds of one feed by id; null if a round does not exist. */
type AskRounds = (roundIds: readonly bigint[]) => Promise<(Round | null)[]>

const WORD_CHARS = 64
const ROUND_WORDS = 5
const PHASE_BITS = 64n
const MAX_ROUND_ID = 2n ** 80n - 1n

export const phaseOf = (roundId: bigint): bigint => roundId >> PHASE_BITS

export const encodeRoundQuestion = (roundId: bigint): string =>
  selectors.getRoundData + roundId.toString(16).padStart(WORD_CHARS, '0')

/** Decodes the result of `latestRoundData` or `getRoundData`; null for a revert or bad data. */
export const readRound = (bytes: string | null | undefined): Round | null => {
  if (bytes?.length !== 2 + ROUND_WORDS * WORD_CHARS) return null
  const word = (index: number) =>
    BigInt(`0x${bytes.slice(2 + index * WORD_CHARS, 2 + (index + 1) * WORD_CHARS)}`)
  const roundId = word(0)
  if (roundId > MAX_ROUND_ID) return null
  const answer = BigInt.asIntN(256, word(1))
  return { roundId, answer, startedAt: word(2), updatedAt: word(3) }
}

/** The search bound if the newest round is unknown: more rounds than any aggregator has. */
const MORE_ROUNDS = 2n ** 32n
const PROBES = 32
/** A search makes at most this number of batches. For a million rounds, six batches are enough. */
const MAX_BATCHES = 16

/**
 * Finds the last round of one phase for which `isBefore` is true; null if no such round exists. The
 * rounds of a phase are in order of time. Rounds for which `ask` returns null are skipped.
 *
 * @param newest number of the phase's newest round, for which `isBefore` is false; null if unknown
 * @returns undefined if 16 batches of 32 rounds do not suffice
 */
export const lastRoundBefore = async (
  ask: AskRounds,
  phase: bigint,
  newest: bigint | null,
  isBefore: (round: Round) => boolean,
): Promise<Round | null | undefined> => {
  const bound = newest ?? MORE_ROUNDS
  let low = 0n
  let high = bound
  let last: Round | null = null
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const ahead = high - low <= 1n
    const near = newest === null ? upwards(bound) : downwards(bound)
    const probes = batch === 0 ? near : ahead ? justAbove(low, bound) : between(low, high)
    if (probes.length === 0) return last
    const rounds = await ask(probes.map((number) => (phase << PHASE_BITS) | number))
    const before = probes.flatMap((number, index) => {
      const round = rounds[index]
      return round && isBefore(round) ? [{ number, round }] : []
    })
    const highest = before.reduce<(typeof before)[number] | undefined>(
      (best, probe) => (best && best.number > probe.number ? best : probe),
      undefined,
    )
    if (ahead && !highest) return last
    if (highest && highest.number > low) {
      low = highest.number
      last = highest.round
    }
    // After missing rounds (`ahead`), newer rounds may exist, so the search goes up to `bound`.
    high = [...probes, ahead ? bound : high]
      .filter((number) => number > low && !before.some((probe) => probe.number === number))
      .reduce((least, number) => (number < least ? number : least), bound)
  }
  return undefined
}

/** The numbers 1, 2, 4 … below the bound. */
const upwards = (bound: bigint): bigint[] =>
  Array.from({ length: PROBES }, (_, power) => 2n ** BigInt(power)).filter((n) => n < bound)

/** The newest number minus 1, 2, 4 …, because most searches are for a time in the last hours. */
const downwards = (newest: bigint): bigint[] => upwards(newest).map((distance) => newest - distance)

const justAbove = (low: bigint, bound: bigint): bigint[] =>
  Array.from({ length: PROBES }, (_, index) => low + BigInt(index) + 1n).filter((n) => n < bound)

const between = (low: bigint, high: bigint): bigint[] => {
  const gap = high - low
  const count = gap - 1n < BigInt(PROBES) ? Number(gap - 1n) : PROBES
  return Array.from(
    { length: count },
    (_, index) => low + (gap * BigInt(index + 1)) / BigInt(count + 1),
  )
}
