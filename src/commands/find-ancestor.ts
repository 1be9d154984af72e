import { proveHeader } from '../chain/encoding/header.ts'
import { createProofTools } from '../chain/encoding/tools.ts'
import type { RpcObject } from '../chain/rpc/read.ts'
import {
  HISTORY_BLOCKS,
  HISTORY_CONTRACT,
  historySlot,
  readHistory,
} from '../verifier/consensus/index.ts'
import { member, type OneNode, quantity, Unchecked } from './one-node.ts'

/** Above this distance a state proof is shorter than the headers. */
const MOST_HEADERS = 64

/** A block whose hash and state root are proven. */
type Proven = { number: number; hash: string; stateRoot: string }

/**
 * Finds the hash of an ancestor of a proven block. The node is not trusted: each header hashes to
 * the hash in the one before, or a state proof shows the hash (EIP-2935). If the block is too far
 * for a state proof, headers lead to one that is near enough.
 *
 * @throws Unchecked if the node has no answer; ChainError or Refusal if its answer is wrong
 */
export const findAncestor = async (
  node: OneNode,
  from: Proven,
  number: number,
): Promise<string> => {
  const distance = from.number - number
  if (distance <= MOST_HEADERS) return (await walkDown(node, from, number)).hash
  const near =
    distance > HISTORY_BLOCKS ? await walkDown(node, from, number + HISTORY_BLOCKS) : from
  return readFromHistory(node, near, number)
}

/** Reads headers down to the block `number`. */
const walkDown = async ({ call }: OneNode, from: Proven, number: number): Promise<Proven> => {
  const tools = await createProofTools()
  let place: Proven & { parentHash?: string } = from
  const read = async (hash: string, at: number) => {
    const raw = await call('eth_getBlockByHash', [hash, false])
    if (raw === null) throw new Unchecked(`Your node does not know block ${at}.`)
    return proveHeader({ ...(raw as RpcObject), hash }, tools)
  }
  while (place.number > number) {
    const { parentHash = (await read(place.hash, place.number)).parentHash } = place
    place = await read(parentHash, place.number - 1)
  }
  return place
}

const readFromHistory = async (
  { call }: OneNode,
  from: Proven,
  number: number,
): Promise<string> => {
  const block = quantity(from.number)
  const proof = await call('eth_getProof', [HISTORY_CONTRACT, [historySlot(number)], block])
  const slot = member(member(proof, 'storageProof'), '0')
  const nodesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return readHistory(from, number, {
    account: nodesOf(member(proof, 'accountProof')),
    storage: nodesOf(member(slot, 'proof')),
  })
}
