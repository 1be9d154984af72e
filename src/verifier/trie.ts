import { keccak_256 } from '@noble/hashes/sha3'
import { bytesOfInteger, demand, toHex, toInteger } from './bytes.ts'
import { asBytes, asList, decodeRlp, decodeRlpList, encodeRlp, type Rlp } from './rlp.ts'

/** The root of a trie without entries: keccak(rlp('')) (Yellow Paper, appendix D). */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** The code hash of an account without code: keccak of an empty byte string. */
export const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/**
 * Returns the value of a key in a Merkle Patricia trie (Yellow Paper, appendix D). Returns null if
 * the nodes prove that the trie does not have the key.
 *
 * @throws Refusal if a node is missing or unused, or if its hash is not in its parent or `root`
 */
export const trieValue = (
  root: string,
  key: Uint8Array,
  nodes: readonly Uint8Array[],
): Uint8Array | null => {
  const { value, used } = walkTrie(root, key, nodes, keccak_256)
  demand(used === nodes.length, 'The trie proof holds nodes that it does not need.')
  return value
}

/**
 * Like {@link trieValue}, but unused nodes may follow the used nodes.
 *
 * @returns `used`: the number of nodes that prove the value or its absence
 * @throws Refusal if a node is missing, or does not match `root` or the hash in its parent
 */
export const walkTrie = (
  root: string,
  key: Uint8Array,
  nodes: readonly Uint8Array[],
  keccak: (bytes: Uint8Array) => Uint8Array,
): { value: Uint8Array | null; used: number } => {
  const path = nibblesOf(key)
  let used = 0
  const load = (hash: string): readonly Rlp[] => {
    const node = nodes[used]
    demand(node !== undefined, 'A node of the trie is missing.')
    const hashes = toHex(keccak(node)) === hash
    demand(hashes, `Node ${used} of the trie does not match the hash in its parent.`)
    used += 1
    return decodeRlpList(node)
  }
  const done = (value: Uint8Array | null) => ({ value, used })

  if (root === EMPTY_ROOT) return done(null)
  let node = load(root)
  let depth = 0
  for (;;) {
    let child: Rlp | undefined
    if (node.length === 17) {
      const digit = path[depth]
      if (digit === undefined) return done(contentOf(node[16]))
      child = node[digit]
      depth += 1
    } else {
      demand(node.length === 2, 'A node of the trie is neither a branch nor a path.')
      const { leaf, digits } = readPath(asBytes(node[0]))
      const fits = digits.every((digit, index) => path[depth + index] === digit)
      if (leaf) {
        return done(fits && depth + digits.length === path.length ? contentOf(node[1]) : null)
      }
      demand(digits.length > 0, 'An extension of the trie is empty.')
      if (!fits) return done(null)
      child = node[1]
      depth += digits.length
    }
    if (child instanceof Uint8Array) {
      if (child.length === 0) return done(null)
      demand(child.length === 32, 'A node of the trie names its child wrongly.')
      node = load(toHex(child))
    } else {
      // A node of less than 32 bytes is embedded in its parent.
      node = asList(child)
    }
  }
}

const contentOf = (item: Rlp | undefined): Uint8Array | null => {
  const value = asBytes(item)
  return value.length === 0 ? null : value
}

const nibblesOf = (bytes: Uint8Array): number[] =>
  [...bytes].flatMap((byte) => [byte >> 4, byte & 15])

/** Decodes a path in hex prefix encoding (Yellow Paper, appendix C). */
const readPath = (bytes: Uint8Array): { leaf: boolean; digits: number[] } => {
  const [flag, padding, ...rest] = nibblesOf(bytes)
  demand(
    flag !== undefined && padding !== undefined && flag < 4,
    'A path of the trie is malformed.',
  )
  const odd = flag % 2 === 1
  demand(odd || padding === 0, 'A path of the trie is malformed.')
  return { leaf: flag >= 2, digits: odd ? [padding, ...rest] : rest }
}

/** The key of a transaction or receipt in a block's trie: rlp(index). */
export const indexKey = (index: number): Uint8Array => encodeRlp(bytesOfInteger(index))

/** An account in a block's state (Yellow Paper, section 4.1). `balance` is in wei. */
export type AccountState = {
  nonce: bigint
  balance: bigint
  storageRoot: string
  codeHash: string
}

/**
 * Reads an account from its value in the state trie. Null gives an account that holds nothing.
 *
 * @throws Refusal if the value is malformed
 */
export const readAccount = (value: Uint8Array | null): AccountState => {
  if (value === null) {
    return { nonce: 0n, balance: 0n, storageRoot: EMPTY_ROOT, codeHash: EMPTY_CODE_HASH }
  }
  const [nonce, balance, storageRoot, codeHash, ...rest] = asList(decodeRlp(value))
  demand(rest.length === 0, 'An account has too many fields.')
  return {
    nonce: toInteger(asBytes(nonce)),
    balance: toInteger(asBytes(balance)),
    storageRoot: toHex(asBytes(storageRoot, 32)),
    codeHash: toHex(asBytes(codeHash, 32)),
  }
}
