import type { ChainClient } from '../client-interface.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import type { Told } from '../rpc/ask-all.ts'
import { type RpcCall, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { agreedOf } from '../rpc/quorum.ts'
import { readNumber } from '../rpc/read.ts'
import type { CallFrame } from '../types.ts'
import { readCallTrace, traceKey } from './call-trace.ts'
import { atBlock, ethCall, readRan } from './state-calls.ts'
import { proveAccount } from './state-proof.ts'

export type StateLookup = Pick<
  ChainClient,
  'accountProofs' | 'callTraces' | 'callAt' | 'transactionCounts'
>

/** For questions to contracts that are ours, not a stranger's: prices, balances. */
const CALL_GAS = 10_000_000
const TRACE_METHODS: readonly ((hash: string) => RpcCall)[] = [
  (hash) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] }),
  (hash) => ({ method: 'trace_transaction', params: [hash] }),
]

const TRACE_TOPIC = 'agreement on traces'

/** What nodes know of the state: proven where that is possible, else said by a quorum of them. */
export const createStateLookup = (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
): StateLookup => {
  /** One way to trace: what each node that answers says, null where it cannot. */
  const traces = async (
    hashes: readonly string[],
    callOf: (hash: string) => RpcCall,
  ): Promise<Told<(CallFrame | null)[]>[]> => {
    const read = (replies: readonly RpcReply[]): (CallFrame | null)[] =>
      replies.map((reply) =>
        reply.ok && reply.result !== null ? readCallTrace(reply.result) : null,
      )
    const answers = await pool.survey(hashes.map(callOf), read)
    const told = answers.flatMap((one) => ('error' in one ? [] : [one]))
    const [failed] = answers.flatMap((one) => ('error' in one ? [one.error] : []))
    if (told.length === 0 && failed) throw failed
    return told
  }

  /** Each node's traces. The second method is asked where fewer than a quorum have the first. */
  const tracesOf = async (hashes: readonly string[]): Promise<Map<string, Told<CallFrame>[]>> => {
    const found = new Map<string, Told<CallFrame>[]>()
    for (const callOf of TRACE_METHODS) {
      const open = hashes.filter((hash) => (found.get(hash)?.length ?? 0) < pool.quorum)
      if (open.length === 0) break
      const answers = await traces(open, callOf).catch((error: unknown) => {
        if (found.size === 0) throw error
        return []
      })
      for (const { node, value } of answers) {
        value.forEach((frame, index) => {
          const hash = open[index]
          if (frame === null || hash === undefined) return
          const others = found.get(hash) ?? []
          if (others.some((one) => one.node === node)) return
          found.set(hash, [...others, { node, value: frame }])
        })
      }
    }
    return found
  }

  /** Marks nodes whose traces differ from those that a quorum agrees on, and clears the others. */
  const judge = (
    traced: readonly (readonly [Told<CallFrame>[], CallFrame | undefined])[],
  ): void => {
    const differs = new Map<string, boolean>()
    for (const [told, agreed] of traced) {
      if (!agreed || pool.quorum === 1) continue
      for (const { node, value } of told) {
        const isOther = traceKey(value) !== traceKey(agreed)
        differs.set(node, isOther || differs.get(node) === true)
      }
    }
    for (const [node, isOther] of differs) {
      if (isOther) pool.blame(node, TRACE_TOPIC, 'outvoted')
      else pool.forgive(node, TRACE_TOPIC)
    }
  }

  return {
    async accountProofs(block, accounts) {
      if (accounts.length === 0) return []
      const tools = await proofTools()
      try {
        return await pool.ask(
          accounts.map((account) => ({
            method: 'eth_getProof',
            params: [account, [], atBlock(block)],
          })),
          (replies, node) =>
            replies.map((reply, index) =>
              proveAccount(block.stateRoot, accounts[index] ?? '', resultOf(reply, node), tools),
            ),
        )
      } catch (error) {
        if (!(error instanceof ChainError) || error.code !== 'rpc_error') throw error
        return accounts.map(() => null)
      }
    },
    async callTraces(hashes, options) {
      const found = await tracesOf(hashes)
      const agreed = hashes.map(
        (hash) => agreedOf(found.get(hash) ?? [], traceKey, pool.quorum)?.[0],
      )
      judge(hashes.map((hash, index) => [found.get(hash) ?? [], agreed[index]]))
      return hashes.map((hash, index) => {
        const told = found.get(hash) ?? []
        const frame = agreed[index]
        if (frame) return frame
        const [first] = told
        // Few nodes have traces, so fewer than the quorum may; but none may contradict another.
        if (told.length < pool.quorum) {
          if (!first || options?.agreed) return null
          if (told.every(({ value }) => traceKey(value) === traceKey(first.value)))
            return first.value
        }
        throw new ChainError('no_agreement', `The nodes' traces of ${hash} contradict each other.`)
      })
    },
    async callAt(block, calls) {
      if (calls.length === 0) return []
      return pool.agree(
        calls.map((call) => ethCall(block, { ...call, gas: CALL_GAS })),
        (replies, node) => replies.map((reply) => readRan(reply, node)),
        (results) => JSON.stringify(results),
      )
    },
    async transactionCounts(block, addresses) {
      if (addresses.length === 0) return []
      return pool.agree(
        addresses.map((address) => ({
          method: 'eth_getTransactionCount',
          params: [address, atBlock(block)],
        })),
        (replies, node) =>
          replies.map((reply) => readNumber(resultOf(reply, node), 'transaction count')),
        (counts) => counts.join(),
      )
    },
  }
}
