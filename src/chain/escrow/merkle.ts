import { AbiCoder, keccak256 } from 'ethers'

/** What a donor may claim of an asset in all, in base units. Asset 0x00…00 is the native coin. */
export type Leaf = { asset: string; donor: string; amount: string }

/**
 * A Merkle tree as the escrow contract checks it: leaves are hashed twice, and each pair is sorted
 * before it is hashed. It has the nodes of `StandardMerkleTree` in @openzeppelin/merkle-tree.
 */
export type RefundTree = {
  /** The root, as 0x and 64 hex digits. */
  readonly root: string
  /** The siblings from the leaf up to the root; undefined for a leaf that the tree lacks. */
  proofOf(leaf: Leaf): string[] | undefined
}

/** Builds the tree of at least one leaf. Throws RangeError without a leaf. */
export const refundTree = (leaves: readonly Leaf[]): RefundTree => {
  const hashes = leaves.map(leafHash).sort()
  if (hashes.length === 0) throw new RangeError('A Merkle tree needs at least one leaf.')
  // Node k has the children 2k + 1 and 2k + 2. The leaves are the last nodes, in falling order.
  const nodes = [...new Array<string>(hashes.length - 1).fill(''), ...hashes.toReversed()]
  for (let at = hashes.length - 2; at >= 0; at--) {
    nodes[at] = hashPair(nodeAt(nodes, 2 * at + 1), nodeAt(nodes, 2 * at + 2))
  }
  const positions = new Map(hashes.map((hash, index) => [hash, nodes.length - 1 - index] as const))
  return {
    root: nodeAt(nodes, 0),
    proofOf(leaf) {
      const position = positions.get(leafHash(leaf))
      if (position === undefined) return undefined
      const proof: string[] = []
      for (let at = position; at > 0; at = Math.floor((at - 1) / 2)) {
        proof.push(nodeAt(nodes, at % 2 === 1 ? at + 1 : at - 1))
      }
      return proof
    },
  }
}

/** The root of at least one leaf. */
export const refundRoot = (leaves: readonly Leaf[]): string => refundTree(leaves).root

/** The proof of a leaf for the contract's `claim`; undefined if the leaf is not among `leaves`. */
export const refundProof = (leaves: readonly Leaf[], leaf: Leaf): string[] | undefined =>
  refundTree(leaves).proofOf(leaf)

/** Two hashes, so that a leaf cannot be read as a pair of nodes. */
const leafHash = ({ asset, donor, amount }: Leaf): string =>
  keccak256(
    keccak256(
      AbiCoder.defaultAbiCoder().encode(['address', 'address', 'uint256'], [asset, donor, amount]),
    ),
  )

const hashPair = (a: string, b: string): string =>
  a < b ? keccak256(`${a}${b.slice(2)}`) : keccak256(`${b}${a.slice(2)}`)

const nodeAt = (nodes: readonly string[], at: number): string => {
  const node = nodes[at]
  if (node === undefined) throw new RangeError(`The Merkle tree has no node ${at}.`)
  return node
}
