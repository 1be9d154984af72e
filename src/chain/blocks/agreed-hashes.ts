import type { Hash } from '../types.ts'

type Known = { number: number; hash: Hash }

/** Block hashes that a quorum of the nodes agreed on a moment ago, so that nobody asks again. */
export type AgreedHashes = {
  remember(block: Known): void
  at(number: number): Hash | undefined
  /** The highest number that was agreed on; -1 before any was. */
  highest(): number
}

/** By then a reorganisation may have replaced what was agreed on. */
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
