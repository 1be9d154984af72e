import { type Keccak, loadKeccak, toHex } from '../encoding/keccak.ts'

/** What a donor may claim of an asset in all, in base units. Asset 0x00…00 is the native coin. */
export type Leaf = { asset: string; donor: string; amount: string }

/**
 * A Merkle tree as the escrow contract checks it: leaves are hashed twice, and each pair is sorted
 * before it is hashed. It has the nodes of `StandardMerkleTree` in @openzeppelin/merkle-tree.
 */
export type RefundTree = {
  /** The root, as 0x and 64 hex digits. */
  readonly root: string
  /** The proof of a leaf for the contract's `claim`; undefined for a leaf that the tree lacks. */
  proofOf(leaf: Leaf): string[] | undefined
}

/**
 * Builds the tree of at least one leaf. Throws RangeError without a leaf. Hashes in WebAssembly,
 * because each request for one proof builds the tree: ethers took 20 times as long.
 */
export const refundTree = async (leaves: readonly Leaf[]): Promise<RefundTree> => {
  const keccak = await loadKeccak()
  const hashes = leaves.map((leaf) => leafHash(keccak, leaf)).sort(Buffer.compare)
  if (hashes.length === 0) throw new RangeError('A Merkle tree needs at least one leaf.')
  // Node k has the children 2k + 1 and 2k + 2. The leaves are the last nodes, in falling order.
  const nodes: Uint8Array[] = new Array(hashes.length - 1).concat(hashes.toReversed())
  for (let at = hashes.length - 2; at >= 0; at--) {
    nodes[at] = hashPair(keccak, nodeAt(nodes, 2 * at + 1), nodeAt(nodes, 2 * at + 2))
  }
  return {
    root: toHex(nodeAt(nodes, 0)),
    proofOf(leaf) {
      const hash = leafHash(keccak, leaf)
      const position = nodes.findLastIndex((node) => Buffer.compare(node, hash) === 0)
      if (position < hashes.length - 1) return undefined
      const proof: string[] = []
      for (let at = position; at > 0; at = Math.floor((at - 1) / 2)) {
        proof.push(toHex(nodeAt(nodes, at % 2 === 1 ? at + 1 : at - 1)))
      }
      return proof
    },
  }
}

/** The root of at least one leaf. */
export const refundRoot = async (leaves: readonly Leaf[]): Promise<string> =>
  (await refundTree(leaves)).root

/** Two hashes, so that a leaf cannot be read as a pair of nodes. */
const leafHash = (keccak: Keccak, { asset, donor, amount }: Leaf): Uint8Array => {
  const bytes = Buffer.alloc(3 * WORD_BYTES)
  for (const [word, value] of [asset, donor, amount].entries()) {
    writeWord(bytes, word * WORD_BYTES, BigInt(value))
  }
  return keccak(keccak(bytes))
}

const WORD_BYTES = 32

const writeWord = (into: Buffer, offset: number, value: bigint): void => {
  for (let at = WORD_BYTES - 8, left = value; at >= 0; at -= 8, left >>= 64n) {
    into.writeBigUInt64BE(BigInt.asUintN(64, left), offset + at)
  }
}

const hashPair = (keccak: Keccak, a: Uint8Array, b: Uint8Array): Uint8Array =>
  keccak(Buffer.concat(Buffer.compare(a, b) < 0 ? [a, b] : [b, a]))

const nodeAt = (nodes: readonly Uint8Array[], at: number): Uint8Array => {
  const node = nodes[at]
  if (node === undefined) throw new RangeError(`The Merkle tree has no node ${at}.`)
  return node
}
