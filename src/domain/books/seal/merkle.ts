import { nodeHash } from '../../../verifier/index.ts'

/** The Merkle root of at least one leaf (RFC 6962, section 2.1). */
export const merkleRoot = (leaves: readonly string[]): string => {
  let level = leaves
  while (level.length > 1) level = parentsOf(level)
  return level[0] ?? ''
}

/** The sibling hashes on the way from a leaf to the root (RFC 6962, section 2.1.1). */
export const merklePath = (leaves: readonly string[], index: number): string[] => {
  const path: string[] = []
  let level = leaves
  for (let at = index; level.length > 1; at = Math.floor(at / 2)) {
    const sibling = level[at % 2 === 1 ? at - 1 : at + 1]
    if (sibling !== undefined) path.push(sibling)
    level = parentsOf(level)
  }
  return path
}

/**
 * Computes the next level of the tree: hashes pairs of neighbours, and keeps a last node without a
 * neighbour. RFC 6962 defines the same tree in another way.
 */
const parentsOf = (level: readonly string[]): string[] => {
  const parents: string[] = []
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at] ?? ''
    const right = level[at + 1]
    parents.push(right === undefined ? left : nodeHash(left, right))
  }
  return parents
}
