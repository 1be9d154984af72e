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
 * the hash in the one before, or a state proof shows the hash (EIP-2935).
 *
 * @throws Unchecked if the node has no answer; ChainError or Refusal if its answer is wrong
 */
export const findAncestor = (node: OneNode, from: Proven, number: number): Promise<string> =>
  from.number - number <= MOST_HEADERS
    ? walkDown(node, from, number)
    : readFromHistory(node, from, number)

const walkDown = async ({ call }: OneNode, from: Proven, number: number): Promise<string> => {
  const tools = await createProofTools()
  let { hash } = from
  for (let at = from.number; at > number; at--) {
    const raw = await call('eth_getBlockByHash', [hash, false])
    if (raw === null) throw new Unchecked(`Your node does not know block ${at}.`)
    const header = proveHeader({ ...(raw as RpcObject), hash }, tools)
    hash = header.parentHash
  }
  return hash
}

const readFromHistory = async (
  { call }: OneNode,
  from: Proven,
  number: number,
): Promise<string> => {
  if (from.number - number > HISTORY_BLOCKS) {
    throw new Unchecked(`Block ${from.number} is too far from block ${number}.`)
  }
  const block = quantity(from.number)
  const proof = await call('eth_getProof', [HISTORY_CONTRACT, [historySlot(number)], block])
  const slot = member(member(proof, 'storageProof'), '0')
  const nodesOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return readHistory(from, number, {
    account: nodesOf(member(proof, 'accountProof')),
    storage: nodesOf(member(slot, 'proof')),
  })
}
