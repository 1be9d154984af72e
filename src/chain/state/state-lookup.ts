import type { AccountState } from '../../verifier/trie.ts'
import type { ChainClient } from '../client-interface.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import type { NodeReply } from '../rpc/ask-all.ts'
import { inBatches } from '../rpc/in-batches.ts'
import { type RpcCall, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { agreedOf } from '../rpc/quorum.ts'
import { readNumber } from '../rpc/read.ts'
import type { CallFrame } from '../types.ts'
import { readCallTrace, traceKey } from './call-trace.ts'
import { atBlock, ethCall, readRan } from './state-calls.ts'
import { proveAccount } from './state-proof.ts'

/** The gas limit of a call. Callers call only configured contracts, for prices and balances. */
const CALL_GAS = 10_000_000
const TRACE_METHODS: readonly ((hash: string) => RpcCall)[] = [
  (hash) => ({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] }),
  (hash) => ({ method: 'trace_transaction', params: [hash] }),
]

const TRACE_TOPIC = 'agreement on traces'

/** Reads accounts with a proof, and all other state by quorum. */
export const createStateLookup = (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
): Pick<
  ChainClient,
  'accountProofs' | 'callTraces' | 'callAt' | 'probeAt' | 'transactionCounts'
> => {
  /** Asks all nodes for traces by one method. A trace is null if the node cannot provide it. */
  const traces = async (
    hashes: readonly string[],
    callOf: (hash: string) => RpcCall,
  ): Promise<NodeReply<(CallFrame | null)[]>[]> => {
    const read = (replies: readonly RpcReply[]): (CallFrame | null)[] =>
      replies.map((reply) =>
        reply.ok && reply.result !== null ? readCallTrace(reply.result) : null,
      )
    const answers = await pool.survey(hashes.map(callOf), read)
    const replies = answers.flatMap((answer) => ('error' in answer ? [] : [answer]))
    const [failed] = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
    if (replies.length === 0 && failed) throw failed
    return replies
  }

  /** Collects the nodes' traces. Tries a second method if fewer nodes than a quorum answer. */
  const tracesOf = async (
    hashes: readonly string[],
  ): Promise<Map<string, NodeReply<CallFrame>[]>> => {
    const found = new Map<string, NodeReply<CallFrame>[]>()
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
          if (others.some((other) => other.node === node)) return
          found.set(hash, [...others, { node, value: frame }])
        })
      }
    }
    return found
  }

  /** Reports nodes whose traces differ from the agreed traces. Clears the faults of other nodes. */
  const judge = (
    traced: readonly (readonly [NodeReply<CallFrame>[], CallFrame | undefined])[],
  ): void => {
    const differs = new Map<string, boolean>()
    for (const [replies, agreed] of traced) {
      if (!agreed || pool.quorum === 1) continue
      for (const { node, value } of replies) {
        const isOther = traceKey(value) !== traceKey(agreed)
        differs.set(node, isOther || differs.get(node) === true)
      }
    }
    for (const [node, isOther] of differs) {
      if (isOther) pool.reportFault(node, TRACE_TOPIC, 'outvoted')
      else pool.clearFault(node, TRACE_TOPIC)
    }
  }

  return {
    async accountProofs(block, accounts) {
      const tools = await proofTools()
      const prove = (batch: readonly string[]): Promise<(AccountState | null)[]> =>
        pool
          .ask(
            batch.map((account) => ({
              method: 'eth_getProof',
              params: [account, [], atBlock(block)],
            })),
            (replies, node) =>
              replies.map((reply, index) =>
                proveAccount(block.stateRoot, batch[index] ?? '', resultOf(reply, node), tools),
              ),
          )
          .catch((error: unknown) => {
            if (!(error instanceof ChainError) || error.code !== 'rpc_error') throw error
            return batch.map(() => null)
          })
      return inBatches(accounts, prove)
    },
    async callTraces(hashes, options) {
      const found = await tracesOf(hashes)
      const agreed = hashes.map(
        (hash) => agreedOf(found.get(hash) ?? [], traceKey, pool.quorum)?.[0],
      )
      judge(hashes.map((hash, index) => [found.get(hash) ?? [], agreed[index]]))
      return hashes.map((hash, index) => {
        const replies = found.get(hash) ?? []
        const frame = agreed[index]
        if (frame) return frame
        const [first] = replies
        // Fewer nodes than a quorum may have traces, but the traces must not contradict each other.
        if (replies.length < pool.quorum) {
          if (!first || options?.agreed) return null
          if (replies.every(({ value }) => traceKey(value) === traceKey(first.value)))
            return first.value
        }
        throw new ChainError(
          'no_agreement',
          `The nodes' traces of transaction ${hash} contradict each other.`,
        )
      })
    },
    callAt: (block, calls) =>
      inBatches(calls, (batch) =>
        pool.agree(
          batch.map((call) => ethCall(block, { ...call, gas: CALL_GAS })),
          (replies, node) => replies.map((reply) => readRan(reply, node)),
          (results) => JSON.stringify(results),
        ),
      ),
    probeAt: (block, calls) =>
      inBatches(calls, async (batch) => {
        let replies: readonly NodeReply<(string | null)[]>[] = []
        const results = () =>
          batch.map((_, index) => {
            const own = replies.map(({ node, value }) => ({ node, value: value[index] ?? null }))
            return agreedOf(own, String, pool.quorum)?.[0]
          })
        try {
          return await pool.poll({
            calls: batch.map((call) => ethCall(block, { ...call, gas: CALL_GAS })),
            read: (some, node) => some.map((reply) => readRan(reply, node)),
            decide(arrived) {
              replies = arrived
              const isOpen = results().includes(undefined) && replies.length < pool.size
              return isOpen ? undefined : results()
            },
          })
        } catch (error) {
          if (!(error instanceof ChainError) || error.code !== 'no_agreement') throw error
          // Otherwise a contract could block the caller for as long as a node lacks the state.
          const isAway = pool.status().some(({ state }) => /cooldown|rate_limited/.test(state))
          if (isAway || replies.length < pool.quorum) throw error
          return results()
        }
      }),
    transactionCounts: (block, addresses) =>
      inBatches(addresses, (batch) =>
        pool.agree(
          batch.map((address) => ({
            method: 'eth_getTransactionCount',
            params: [address, atBlock(block)],
          })),
          (replies, node) =>
            replies.map((reply) => readNumber(resultOf(reply, node), 'transaction count')),
          (counts) => counts.join(),
        ),
      ),
  }
}
