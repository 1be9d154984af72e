import { concat, demand, fromHex, sha256, toHex } from '../bytes.ts'

/**
 * Hash tree roots of the SSZ types that light clients need (consensus-specs,
 * `ssz/simple-serialize.md`, section "Merkleization"). A chunk has 32 bytes.
 */
export type Chunk = Uint8Array

const hashPair = (left: Chunk, right: Chunk): Chunk => sha256(concat([left, right]))

const ZERO = new Uint8Array(32)

/** The root of a tree over chunks, whose number is filled up with zeros to a power of two. */
export const merkleize = (chunks: readonly Chunk[]): Chunk => {
  let level = [...chunks]
  let zero: Chunk = ZERO
  while (level.length > 1) {
    if (level.length % 2 === 1) level.push(zero)
    level = Array.from({ length: level.length / 2 }, (_, index) =>
      hashPair(level[2 * index] ?? zero, level[2 * index + 1] ?? zero),
    )
    zero = hashPair(zero, zero)
  }
  return level[0] ?? ZERO
}

/** Bytes of a fixed length as a root: one chunk, or the tree over their chunks. */
export const rootOfBytes = (bytes: Uint8Array): Chunk =>
  merkleize(
    Array.from({ length: Math.ceil(bytes.length / 32) }, (_, index) => {
      const chunk = new Uint8Array(32)
      chunk.set(bytes.subarray(32 * index, 32 * index + 32))
      return chunk
    }),
  )

/** An unsigned integer as a chunk, little-endian. Throws Refusal if it needs more than `bytes`. */
export const rootOfUint = (value: bigint, bytes = 8): Chunk => {
  demand(value >= 0n && value < 1n << BigInt(8 * bytes), 'A number is too large.')
  const chunk = new Uint8Array(32)
  for (let at = 0, rest = value; rest > 0n; at++, rest >>= 8n) chunk[at] = Number(rest & 0xffn)
  return chunk
}

/** The root of a byte list of at most 32 bytes: its chunk, mixed with its length. */
export const rootOfShortList = (bytes: Uint8Array): Chunk => {
  demand(bytes.length <= 32, 'A list of bytes is too long.')
  return hashPair(bytes.length === 0 ? ZERO : rootOfBytes(bytes), rootOfUint(BigInt(bytes.length)))
}

/**
 * Whether a branch leads from a leaf to the root (consensus-specs, `is_valid_merkle_branch`).
 *
 * @param index the generalized index of the leaf, which also gives the length of the branch
 */
export const isInTree = (
  leaf: Chunk,
  branch: readonly string[],
  index: number,
  root: string,
): boolean => {
  let node = leaf
  let at = index
  for (const sibling of branch) {
    if (at < 2) return false
    const other = fromHex(sibling)
    node = at % 2 === 1 ? hashPair(other, node) : hashPair(node, other)
    at = Math.floor(at / 2)
  }
  return at === 1 && toHex(node) === root
}
