import { createProofTools } from '../chain/encoding/tools.ts'
import { planDescent } from '../chain/index.ts'
import { descend, type ProvenBlock } from '../verifier/consensus/index.ts'
import type { OneNode } from './one-node.ts'

/** Above this distance a state proof is shorter than the headers. */
const MOST_HEADERS = 64

/**
 * Finds the hash of an ancestor of a proven block with the answers of a node that is not trusted.
 *
 * @throws Unchecked if the node does not answer; ChainError or Refusal if an answer is wrong
 */
export const findAncestor = async (
  { call }: OneNode,
  from: ProvenBlock,
  number: number,
): Promise<string> => {
  const { calls, read } = planDescent(from, number, MOST_HEADERS)
  const results: unknown[] = []
  for (const { method, params } of calls) results.push(await call(method, params))
  return descend(from, number, read(results, await createProofTools()))
}
