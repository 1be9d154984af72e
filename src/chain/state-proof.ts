import { ChainError } from './errors.ts'
import { toHex } from './proof/keccak.ts'
import { EMPTY_ROOT } from './proof/ordered-trie.ts'
import { type RlpItem, readRlp, rlpQuantity, rlpString } from './proof/rlp-reader.ts'
import type { ProofTools } from './proof/tools.ts'
import { readArray, readData, readObject } from './rpc/read.ts'
import type { Hash } from './types.ts'

/** An account as a block's state holds it (Yellow Paper, 4.1). `balance` in wei. */
export type AccountState = { balance: bigint; nonce: bigint; codeHash: Hash; storageRoot: Hash }

/** keccak of no bytes: the code hash of an account without code. */
export const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** What the state trie has no entry for: nobody ever paid it, nobody ever sent from it. */
const EMPTY_ACCOUNT: AccountState = {
  balance: 0n,
  nonce: 0n,
  codeHash: EMPTY_CODE_HASH,
  storageRoot: EMPTY_ROOT,
}

const MAX_NODES = 65
const MAX_NODE_BYTES = 1_024

/**
 * Proves an account against a block's stateRoot by the answer to `eth_getProof` (EIP-1186): the
 * nodes of `accountProof` must lead, each by the hash in the one above, from the root along
 * keccak(address) to the account, or to where it would be and is not. What the answer says beside
 * the proof is not read.
 *
 * @param address lower-case
 * @param rawProof the result of `eth_getProof`
 * @throws ChainError `state_forged` when the nodes do not lead there, `bad_response` for another form
 */
export const proveAccount = (
  stateRoot: Hash,
  address: string,
  rawProof: unknown,
  tools: ProofTools,
): AccountState => proveAccountPath(stateRoot, address, rawProof, tools).account

/** The same, with the nodes that lead to the account. It drops others that an answer adds. */
export const proveAccountPath = (
  stateRoot: Hash,
  address: string,
  rawProof: unknown,
  { keccak }: ProofTools,
): { account: AccountState; nodes: Uint8Array[] } => {
  const proof = readArray(readObject(rawProof, 'account proof').accountProof, 'account proof')
  if (proof.length > MAX_NODES) throw new ChainError('bad_response', 'The proof is too long.')
  const path = nibblesOf(keccak(readData(address, 'address')))
  const nodes = proof.map(nodeBytes)
  const { value, used } = follow(stateRoot, path, nodes, keccak)
  const account = value === null ? EMPTY_ACCOUNT : readAccount(value)
  return { account, nodes: nodes.slice(0, used) }
}

/**
 * The value at the end of a path of a Merkle Patricia trie (Yellow Paper, appendix D), or null where
 * the trie provably has none. `used` counts the nodes that lead there.
 */
const follow = (
  root: Hash,
  path: readonly number[],
  nodes: readonly Uint8Array[],
  keccak: ProofTools['keccak'],
): { value: Uint8Array | null; used: number } => {
  let used = 0
  const byHash = (hash: string): readonly RlpItem[] => {
    const bytes = nodes[used]
    used += 1
    if (bytes === undefined || toHex(keccak(bytes)) !== hash) throw forged()
    return listOf(readRlp(bytes))
  }
  if (root === EMPTY_ROOT) return { value: null, used }
  let node = byHash(root)
  for (let depth = 0; ; ) {
    let child: RlpItem | undefined
    if (node.length === 17) {
      const nibble = path[depth]
      // All keys have the same length, so none ends at a branch.
      if (nibble === undefined) throw forged()
      child = node[nibble]
      depth += 1
    } else if (node.length === 2) {
      const { nibbles, leaf } = readHexPrefix(rlpString(node[0]))
      const rest = path.slice(depth)
      const shared = nibbles.every((nibble, index) => rest[index] === nibble)
      if (leaf) {
        const isIt = shared && nibbles.length === rest.length
        return { value: isIt ? rlpString(node[1]) : null, used }
      }
      if (!shared || nibbles.length === 0) return { value: null, used }
      child = node[1]
      depth += nibbles.length
    } else {
      throw forged()
    }
    // A node of less than 32 bytes stands in its parent as it is.
    if (!(child instanceof Uint8Array)) {
      node = listOf(child)
      continue
    }
    if (child.length === 0) return { value: null, used }
    if (child.length !== 32) throw forged()
    node = byHash(toHex(child))
  }
}

const readAccount = (bytes: Uint8Array): AccountState => {
  const [nonce, balance, storageRoot, codeHash, ...more] = listOf(readRlp(bytes))
  const hashes = [rlpString(storageRoot), rlpString(codeHash)]
  if (more.length > 0 || hashes.some((hash) => hash.length !== 32)) throw forged()
  return {
    balance: rlpQuantity(balance),
    nonce: rlpQuantity(nonce),
    storageRoot: toHex(rlpString(storageRoot)),
    codeHash: toHex(rlpString(codeHash)),
  }
}

/** Nibbles after the flags "odd" and "leaf" (Yellow Paper, appendix C). */
const readHexPrefix = (bytes: Uint8Array): { nibbles: number[]; leaf: boolean } => {
  const all = nibblesOf(bytes)
  const flag = all[0]
  if (flag === undefined || flag > 3) throw forged()
  return { nibbles: all.slice(flag % 2 === 1 ? 1 : 2), leaf: flag >= 2 }
}

const nibblesOf = (bytes: Uint8Array): number[] => {
  const nibbles: number[] = []
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  return nibbles
}

const nodeBytes = (item: unknown): Uint8Array => {
  const chars = typeof item === 'string' ? item.length : 0
  if (chars > 2 && chars <= 2 + 2 * MAX_NODE_BYTES) return readData(item, 'node of a proof')
  throw new ChainError('bad_response', 'A node of the account proof is empty or too long.')
}

const listOf = (item: RlpItem | undefined): readonly RlpItem[] => {
  if (item === undefined || item instanceof Uint8Array) throw forged()
  return item
}

const forged = () =>
  new ChainError('state_forged', "The account's proof does not lead from the block's stateRoot.")
