import { Refusal } from '../../verifier/bytes.ts'
import { type AccountState, readAccount, walkTrie } from '../../verifier/trie.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { readArray, readData, readObject } from '../rpc/read.ts'
import type { Hash } from '../types.ts'

const MAX_NODES = 65
const MAX_NODE_BYTES = 1_024

/**
 * Proves an account against a block's stateRoot with `eth_getProof` (EIP-1186): the nodes of
 * `accountProof` must lead from the root along keccak(address) to the account, or prove that the
 * account is absent. Ignores the other fields of the answer.
 *
 * @param address lower-case
 * @param rawProof the result of `eth_getProof`
 * @throws ChainError `state_forged` if the proof is invalid, `bad_response` if it is malformed
 */
export const proveAccount = (
  stateRoot: Hash,
  address: string,
  rawProof: unknown,
  tools: ProofTools,
): AccountState => proveAccountPath(stateRoot, address, rawProof, tools).account

/** Like `proveAccount`, but also returns the trie nodes of the path, without unused nodes. */
export const proveAccountPath = (
  stateRoot: Hash,
  address: string,
  rawProof: unknown,
  { keccak }: ProofTools,
): { account: AccountState; nodes: Uint8Array[] } => {
  const proof = readArray(readObject(rawProof, 'account proof').accountProof, 'account proof')
  if (proof.length > MAX_NODES) throw new ChainError('bad_response', 'The proof is too long.')
  const key = keccak(readData(address, 'address'))
  const nodes = proof.map(nodeBytes)
  try {
    const { value, used } = walkTrie(stateRoot, key, nodes, keccak)
    return { account: readAccount(value), nodes: nodes.slice(0, used) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ChainError(
      'state_forged',
      `The account's proof does not lead from the block's stateRoot: ${error.message}`,
    )
  }
}

const nodeBytes = (item: unknown): Uint8Array => {
  const chars = typeof item === 'string' ? item.length : 0
  if (chars > 2 && chars <= 2 + 2 * MAX_NODE_BYTES) return readData(item, 'node of a proof')
  throw new ChainError('bad_response', 'A node of the account proof is empty or too long.')
}
