import type { Hash } from '../types.ts'

type Known = { number: number; hash: Hash }

/** A cache of block hashes that a quorum agreed on recently. The cache saves requests. */
export type AgreedHashes = {
  remember(block: Known): void
  at(number: number): Hash | undefined
  /** The highest number of a block that was ever agreed on; -1 before the first agreement. */
  highest(): number
}

/** A hash is used for at most this time, because a reorg may replace the block. */
const FRESH_MS = 10_000
const MOST = 64

export const createAgreedHashes = (nowMs: () => number): AgreedHashes => {
  const known = new Map<number, { hash: Hash; sinceMs: number }>()
  let highest = -1
  return {
    remember({ number, hash }) {
      known.delete(number)
      known.set(number, { hash, sinceMs: nowMs() })
      highest = Math.max(highest, number)
      const [oldest] = known.keys()
      if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    },
    at(number) {
      const found = known.get(number)
      return found && nowMs() - found.sinceMs <= FRESH_MS ? found.hash : undefined
    },
    highest: () => highest,
  }
}
