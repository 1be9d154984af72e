import { demand, Refusal } from '../../verifier/bytes.ts'
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
import type { Hash } from '../types.ts'
import { blockCall, missing } from './read-header.ts'

/** A header has 0.6 kB, a state proof 4 to 6 kB. */
const SHORT_HEADERS = 8
const MOST_HEADERS = 64

/**
 * Reads the shortest way from a proven block down to an earlier one, or to itself: headers, each of
 * which names its parent, or a proof of the state, which has the hash (EIP-2935). Also reads more
 * headers if no node has the state.
 *
 * @throws ChainError if no node has an acceptable answer
 */
export const readDescent = async (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
  from: ProvenBlock,
  { number, hash }: { number: number; hash: Hash },
): Promise<Descent> => {
  const tools = await proofTools()
  const distance = from.number - number
  const read = async (calls: RpcCall[], descentOf: (results: unknown[]) => Descent) =>
    pool.ask(calls, (replies, node) => {
      const descent = descentOf(replies.map((reply) => resultOf(reply, node)))
      try {
        demand(descend(from, number, descent) === hash, `Block ${number} has another hash.`)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw new ChainError('header_forged', error.message)
      }
      return descent
    })
  const readHeaders = () =>
    read(
      Array.from({ length: distance }, (_, index) => blockCall(from.number - index)),
      (results) => ({ headers: results.map((raw) => headerOf(raw, tools)), history: null }),
    )
  if (distance === 0) {
    if (hash === from.hash) return { headers: [], history: null }
    throw new ChainError('wrong_hash', `Block ${number} has another hash.`)
  }
  if (distance <= SHORT_HEADERS) return readHeaders()
  if (distance > HISTORY_BLOCKS) throw unsupported(`Block ${number} is too far below.`)
  const params = [HISTORY_CONTRACT, [historySlot(number)], `0x${from.number.toString(16)}`]
  try {
    return await read([{ method: 'eth_getProof', params }], ([raw]) => ({
      headers: [],
      history: historyOf(raw),
    }))
  } catch (error) {
    if (!(error instanceof ChainError) || distance > MOST_HEADERS) throw error
    return readHeaders()
  }
}

const headerOf = (raw: unknown, tools: ProofTools): string => {
  if (raw === null) throw missing('a block')
  proveHeader(readObject(raw, 'block'), tools)
  return toHex(tools.writer.view(0))
}

const unsupported = (message: string) => new ChainError('unsupported', message)

const historyOf = (raw: unknown): Descent['history'] => {
  const { accountProof, storageProof } = readObject(raw, 'account proof')
  const [first] = readArray(storageProof, 'storage proof')
  const slot = readObject(first, 'storage proof')
  if (slot.value === '0x0') throw unsupported('The chain has not kept the hash (EIP-2935).')
  const nodesOf = (value: unknown) => readArray(value, 'proof').map(String)
  return {
    account: nodesOf(accountProof),
    storage: nodesOf(slot.proof),
  }
}
