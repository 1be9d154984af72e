import type { ChainConfig } from '../../config/config.ts'
import type { Log } from '../../kernel/ports/log.ts'
import type { Metrics } from '../../kernel/ports/metrics.ts'
import { createAgreedHeads } from '../blocks/agreed-heads.ts'
import { createToolsLoader } from '../encoding/tools.ts'
import { type RpcCall, type RpcFailure, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import { createNodePool } from '../rpc/pool.ts'
import { agreedOf } from '../rpc/quorum.ts'
import { readArray, readHash, readNumber, readObject } from '../rpc/read.ts'
import {
  atBlock,
  ethCall,
  isFailedExecution,
  readBytes,
  readRan,
  type StateCall,
} from './state-calls.ts'

/** The block at which several calls are made, so that the results are consistent. */
export type PinnedBlock = { readonly number: number; readonly hash: string }

/**
 * Reads contracts at a pinned block, with bounded gas. The results need a quorum and have no proof,
 * so they may decide who owns an account, but never an amount. Throws ChainError without a quorum.
 */
export type StateReader = {
  readonly chainId: number
  newestBlock(): Promise<PinnedBlock>
  /** An address's code and a call's result, which is null if the call reverts or lacks gas. */
  codeAndCall(
    block: PinnedBlock,
    address: string,
    call: StateCall,
  ): Promise<{ code: string; result: string | null }>
  /** The code at each address, in one batch. It is `0x` without code. */
  codes(block: PinnedBlock, addresses: readonly string[]): Promise<string[]>
  /** The results of calls, in one batch. A result is null if the call reverts or lacks gas. */
  calls(block: PinnedBlock, calls: readonly StateCall[]): Promise<(string | null)[]>
  /**
   * Calls a contract of a stranger like `calls`. Such a contract can answer each node in another
   * way, so a node with another answer is not at fault.
   */
  probe(block: PinnedBlock, call: StateCall): Promise<string | null>
  /**
   * The gas of calls that run one after the other, with a transaction for each. Null if a call
   * fails; undefined for several calls if nodes lack `eth_simulateV1`. The amount has no quorum.
   */
  gasOf(
    block: PinnedBlock,
    calls: readonly { to: string; data: string }[],
    from?: string,
  ): Promise<number | null | undefined>
  close(): Promise<void>
}

/** A user waits for the answer, so these times are shorter than the times in the worker. */
const TIMEOUT_MS = 4_000
const BACKOFF_MS = 150
const MAX_RESPONSE_BYTES = 1024 * 1024
const MAX_WAIT_MS = 2_000

export const createStateReader = ({
  chain,
  ...options
}: {
  chain: ChainConfig
  log: Log
  metrics?: Metrics
}): StateReader => {
  const pool = createNodePool({
    ...options,
    urls: chain.rpc,
    chainId: chain.id,
    quorum: chain.quorum,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    backoffMs: BACKOFF_MS,
    maxWaitMs: MAX_WAIT_MS,
  })
  const agreedHeads = createAgreedHeads({
    pool,
    proofTools: createToolsLoader(),
    finalized: false,
    maxLagSeconds: chain.maxLagSeconds,
  })
  const newest = ([reply]: readonly RpcReply[], node: string): PinnedBlock => {
    const raw = readObject(resultOf(reply, node), 'block')
    return { number: readNumber(raw.number, 'block number'), hash: readHash(raw.hash, 'hash') }
  }

  return {
    chainId: chain.id,
    async newestBlock() {
      if (pool.quorum === 1) {
        const calls = [{ method: 'eth_getBlockByNumber', params: ['latest', false] }]
        return pool.ask(calls, newest)
      }
      const { number, hash } = (await agreedHeads()).latest
      return { number, hash }
    },
    codeAndCall: (block, address, call) =>
      pool.agree(
        [{ method: 'eth_getCode', params: [address, atBlock(block)] }, ethCall(block, call)],
        ([code, ran], node) => ({
          code: readBytes(resultOf(code, node)),
          result: readRan(ran, node),
        }),
        ({ code, result }) => `${code} ${result}`,
      ),
    codes: (block, addresses) =>
      pool.agree(
        addresses.map((address) => ({ method: 'eth_getCode', params: [address, atBlock(block)] })),
        (replies, node) => replies.map((reply) => readBytes(resultOf(reply, node))),
        (codes) => JSON.stringify(codes),
      ),
    calls: (block, calls) =>
      pool.agree(
        calls.map((call) => ethCall(block, call)),
        (replies, node) => replies.map((reply) => readRan(reply, node)),
        (results) => JSON.stringify(results),
      ),
    probe: (block, call) =>
      pool.poll({
        calls: [ethCall(block, call)],
        read: ([reply], node) => readRan(reply, node),
        decide: (replies) => agreedOf(replies, String, pool.quorum)?.[0],
      }),
    gasOf: (block, calls, from) =>
      pool.agree(
        [gasCall(block, calls, from)],
        ([reply], node) => readGas(reply, node),
        (gas) => (typeof gas === 'number' ? 'ok' : String(gas)),
      ),
    close: () => pool.close(),
  }
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Asks for the gas of one call, or of several calls that run one after the other. */
const gasCall = (
  block: { hash: string },
  calls: readonly { to: string; data: string }[],
  from = ZERO_ADDRESS,
): RpcCall => {
  const [only, ...more] = calls.map(({ to, data }) => ({ from, to, data }))
  return more.length === 0
    ? { method: 'eth_estimateGas', params: [only, atBlock(block)] }
    : {
        method: 'eth_simulateV1',
        params: [{ blockStateCalls: [{ calls: [only, ...more] }] }, atBlock(block)],
      }
}

/**
 * Reads the answer to {@link gasCall}: the gas of all calls, null if a call fails, or undefined if
 * the node does not have the method.
 */
const readGas = (reply: RpcReply | undefined, node: string): number | null | undefined => {
  if (reply?.ok === false) {
    if (isFailedExecution(reply.error)) return null
    if (isUnknownMethod(reply.error)) return undefined
  }
  const result = resultOf(reply, node)
  if (typeof result === 'string') return readNumber(result, 'gas')
  const [block] = readArray(result, 'list of simulated blocks')
  const calls = readArray(readObject(block, 'simulated block').calls, 'list of simulated calls')
  const results = calls.map((call) => readObject(call, 'simulated call'))
  if (results.some(({ status }) => status !== '0x1')) return null
  return results.reduce((sum, { gasUsed }) => sum + readNumber(gasUsed, 'gas'), 0)
}

/** JSON-RPC 2.0: -32601 is "method not found". Some nodes have only the text. */
const isUnknownMethod = ({ code, message }: RpcFailure): boolean =>
  code === -32601 ||
  /method.{0,60}(?:not (?:found|supported|available|exist)|does not exist)/i.test(message)
