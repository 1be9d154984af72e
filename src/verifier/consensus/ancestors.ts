import { keccak_256 } from '@noble/hashes/sha3'
import { demand, fromHex, toHex } from '../bytes.ts'
import { asBytes, decodeRlp } from '../rlp.ts'
import { readAccount, trieValue } from '../trie.ts'

/** The contract that keeps the hashes of earlier blocks since the fork Prague (EIP-2935). */
export const HISTORY_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** The number of earlier blocks whose hashes the contract keeps. */
export const HISTORY_BLOCKS = 8_191

/** The key of a block's hash in the storage of the contract. */
export const historySlot = (number: number): string =>
  `0x${(number % HISTORY_BLOCKS).toString(16).padStart(64, '0')}`

/** State proofs (EIP-1186) of the contract and of one slot of its storage. */
export type HistoryProof = { account: readonly string[]; storage: readonly string[] }

/**
 * Reads the hash of an earlier block from the state of a block (EIP-2935).
 *
 * @throws Refusal if the proof is invalid, or the contract does not keep this hash
 */
export const readHistory = (
  from: { number: number; stateRoot: string },
  number: number,
  proof: HistoryProof,
): string => {
  const distance = from.number - number
  demand(
    distance > 0 && distance <= HISTORY_BLOCKS,
    `Block ${from.number} does not know the hash of block ${number}.`,
  )
  const value = (root: string, key: string, nodes: readonly string[]) =>
    trieValue(root, keccak_256(fromHex(key)), nodes.map(fromHex))
  const account = readAccount(value(from.stateRoot, HISTORY_CONTRACT, proof.account))
  const stored = value(account.storageRoot, historySlot(number), proof.storage)
  demand(stored !== null, `The chain has not kept the hash of block ${number}.`)
  const hash = asBytes(decodeRlp(stored))
  demand(hash.length <= 32, 'A stored hash is too long.')
  return toHex(hash).replace('0x', `0x${'00'.repeat(32 - hash.length)}`)
}
