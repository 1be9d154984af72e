import { Refusal } from '../../verifier/bytes.ts'
import {
  type Descent,
  descend,
  HISTORY_BLOCKS,
  HISTORY_CONTRACT,
  historySlot,
  type ProvenBlock,
} from '../../verifier/consensus/index.ts'
import { proveHeader } from '../encoding/header.ts'
import { toHex } from '../encoding/keccak.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { type RpcCall, resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { readArray, readObject } from '../rpc/read.ts'
import { blockCall, missing } from './read-header.ts'

/** What to ask of a node to go down from a proven block, and how to read its results. */
export type DescentPlan = {
  calls: RpcCall[]
  /** Throws ChainError if a result is missing or does not lead to the block. */
  read(results: readonly unknown[], tools: ProofTools): Descent
}

/**
 * Plans the way from a proven block down to an earlier one, or to itself. If that is at most
 * `mostHeaders` blocks away, each header names its parent. Otherwise the state has the hash
 * (EIP-2935), after the headers that lead into its reach. A header has 0.6 kB, a state proof 4 to
 * 6 kB.
 */
export const planDescent = (
  from: ProvenBlock,
  number: number,
  mostHeaders: number,
): DescentPlan => {
  const distance = from.number - number
  const inReach = distance <= mostHeaders
  // The state of the last header is used, so one header more than blocks are too far.
  const above = Math.max(0, distance - HISTORY_BLOCKS)
  const count = inReach ? distance : above === 0 ? 0 : above + 1
  const calls = Array.from({ length: count }, (_, index) => blockCall(from.number - index))
  const stateOf = from.number - Math.max(0, count - 1)
  if (!inReach) {
    const params = [HISTORY_CONTRACT, [historySlot(number)], `0x${stateOf.toString(16)}`]
    calls.push({ method: 'eth_getProof', params })
  }
  return {
    calls,
    read(results, tools) {
      const headers = results.slice(0, count).map((raw, index) => {
        if (raw === null) throw missing(`block ${from.number - index}`)
        proveHeader(readObject(raw, 'block'), tools)
        return toHex(tools.writer.view(0))
      })
      const descent = { headers, history: inReach ? null : historyOf(results[count]) }
      try {
        descend(from, number, descent)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw new ChainError('header_forged', error.message)
      }
      return descent
    },
  }
}

/** A state proof is shorter than more headers than this. */
const SHORT_HEADERS = 8
const MOST_HEADERS = 64

/**
 * Reads the shortest way. Headers are also used if no node has the state proof.
 *
 * @throws ChainError if no node has an acceptable answer
 */
export const readDescent = async (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
  from: ProvenBlock,
  number: number,
): Promise<Descent> => {
  const tools = await proofTools()
  const ask = (mostHeaders: number) => {
    const { calls, read } = planDescent(from, number, mostHeaders)
    if (calls.length === 0) return read([], tools)
    return pool.ask(calls, (replies, node) =>
      read(
        replies.map((reply) => resultOf(reply, node)),
        tools,
      ),
    )
  }
  try {
    return await ask(SHORT_HEADERS)
  } catch (error) {
    const distance = from.number - number
    const isShort = distance <= SHORT_HEADERS || distance > MOST_HEADERS
    if (isShort || !(error instanceof ChainError)) throw error
    return ask(MOST_HEADERS)
  }
}

const historyOf = (raw: unknown): Descent['history'] => {
  const { accountProof, storageProof } = readObject(raw, 'account proof')
  const [slot] = readArray(storageProof, 'storage proof')
  const nodesOf = (value: unknown) => readArray(value, 'proof').map(String)
  return {
    account: nodesOf(accountProof),
    storage: nodesOf(readObject(slot, 'storage proof').proof),
  }
}
