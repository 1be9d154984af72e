import { keccak_256 } from '@noble/hashes/sha3'
import { demand, fromHex, toHex } from '../bytes.ts'
import { readHeader } from '../header.ts'
import { asBytes, decodeRlp } from '../rlp.ts'
import { hex, list, nodes, orNull, record, type Shape } from '../shape.ts'
import { readAccount, trieValue } from '../trie.ts'

/** The contract that keeps the hashes of earlier blocks since the fork Prague (EIP-2935). */
export const HISTORY_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** The number of earlier blocks whose hashes the contract keeps. */
export const HISTORY_BLOCKS = 8_191

/** The key of a block's hash in the storage of the contract. */
export const historySlot = (number: number): string =>
  `0x${(number % HISTORY_BLOCKS).toString(16).padStart(64, '0')}`

/** State proofs (EIP-1186) of the contract and of one slot of its storage. */
export type HistoryProof = { account: string[]; storage: string[] }

/** The way from a block down to an earlier one. */
export type Descent = {
  /** Headers in RLP: the one of the first block, then each one's parent. */
  headers: string[]
  /** Leads further down, from the state of the last of these headers, or of the first block. */
  history: HistoryProof | null
}

const MOST_HEADERS = 64

export const descentFields: { [K in keyof Descent]: Shape<Descent[K]> } = {
  headers: list(MOST_HEADERS, hex),
  history: orNull(record<HistoryProof>({ account: nodes, storage: nodes })),
}

/** A block whose hash and state root are proven. */
export type ProvenBlock = { number: number; hash: string; stateRoot: string }

/**
 * Goes down from a proven block to an earlier one, or to itself.
 *
 * @returns the hash of block `number`
 * @throws Refusal if a header or a state proof is wrong, or the way ends at another block
 */
export const descend = (from: ProvenBlock, number: number, { headers, history }: Descent) => {
  let place = { number: from.number, hash: from.hash }
  let state = from
  for (const header of headers) {
    const block = readHeader(header)
    demand(
      block.hash === place.hash && block.number === place.number,
      `A header below the final block is not the one of block ${place.number}.`,
    )
    state = block
    place = { number: block.number - 1, hash: block.parentHash }
  }
  if (history !== null) return readHistory(state, number, history)
  demand(place.number === number, `The way ends at block ${place.number} instead of ${number}.`)
  return place.hash
}

/**
 * Reads the hash of an earlier block from the state of a block (EIP-2935).
 *
 * @throws Refusal if the proof is invalid, or the contract does not keep this hash
 */
const readHistory = (
  from: Pick<ProvenBlock, 'number' | 'stateRoot'>,
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
