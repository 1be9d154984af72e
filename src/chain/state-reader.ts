import type { ChainConfig } from '../config.ts'
import type { Log } from '../kernel/log.ts'
import { ChainError } from './errors.ts'
import {
  failureAsError,
  isRateLimit,
  type RpcCall,
  type RpcFailure,
  resultOf,
} from './rpc/json-rpc.ts'
import { readHash, readNumber, readObject } from './rpc/read.ts'
import { createTransport } from './rpc/transport.ts'

/** A block that several questions are asked at, so that their answers belong together. */
export type PinnedBlock = { readonly number: number; readonly hash: string }

/** A question to the state of a chain. `to` left out runs `data` as creation code. */
export type StateCall = { to?: string; data: string; gas: number }

/**
 * Reads contracts, at a pinned block, with bounded gas. What nodes say of state carries no proof:
 * good enough for whom an account belongs to, never for money. Throws ChainError.
 */
export type StateReader = {
  readonly chainId: number
  newestBlock(): Promise<PinnedBlock>
  /** The code of an address and the result of a call; null for one that reverts or runs out of gas. */
  codeAndCall(
    block: PinnedBlock,
    address: string,
    call: StateCall,
  ): Promise<{ code: string; result: string | null }>
  /** Results of calls, in one batch; null for one that reverts or runs out of gas. */
  calls(block: PinnedBlock, calls: readonly StateCall[]): Promise<(string | null)[]>
  close(): Promise<void>
}

/** Somebody waits for the answer, so less patience than the follower has. */
const TIMEOUT_MS = 4_000
const BACKOFF_MS = 150
const MAX_RESPONSE_BYTES = 1024 * 1024
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/

/** EIP-1474 and execution-apis know 3 for a revert; nodes differ for what else ends an execution. */
const REVERT_CODE = 3
const EXECUTION_FAILED =
  /revert|out of gas|gas required exceeds|invalid opcode|invalid jump|stack (?:under|over)flow|execution (?:error|failed)|vm execution|evm error|invalid operand|code size|initcode/i

export const createStateReader = (options: { chain: ChainConfig; log: Log }): StateReader => {
  const { chain } = options
  const name = `Chain ${chain.id}`
  const transport = createTransport({
    urls: chain.rpc,
    chainId: chain.id,
    log: options.log,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    backoffMs: BACKOFF_MS,
  })

  const callsOf = (block: PinnedBlock, calls: readonly StateCall[]): RpcCall[] =>
    calls.map(({ to, data, gas }) => ({
      method: 'eth_call',
      params: [
        { ...(to === undefined ? {} : { to }), data, gas: `0x${gas.toString(16)}` },
        at(block),
      ],
    }))

  return {
    chainId: chain.id,
    async newestBlock() {
      const [reply] = await transport.batch([
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ])
      const raw = readObject(resultOf(reply, name), 'block')
      return { number: readNumber(raw.number, 'block number'), hash: readHash(raw.hash, 'hash') }
    },
    async codeAndCall(block, address, call) {
      const [code, ran] = await transport.batch([
        { method: 'eth_getCode', params: [address, at(block)] },
        ...callsOf(block, [call]),
      ])
      return { code: bytes(resultOf(code, name)), result: ranOf(ran, name) }
    },
    async calls(block, calls) {
      const replies = await transport.batch(callsOf(block, calls))
      return replies.map((reply) => ranOf(reply, name))
    },
    close: () => transport.close(),
  }
}

/** EIP-1898: by hash, so that a reorganisation between two questions shows as an error. */
const at = ({ hash }: PinnedBlock) => ({ blockHash: hash })

const ranOf = (reply: Parameters<typeof resultOf>[0], name: string): string | null => {
  if (reply?.ok === false) {
    if (isFailedExecution(reply.error)) return null
    throw failureAsError(reply.error, name)
  }
  return bytes(resultOf(reply, name))
}

const isFailedExecution = (failure: RpcFailure): boolean =>
  !isRateLimit(failure) && (failure.code === REVERT_CODE || EXECUTION_FAILED.test(failure.message))

const bytes = (value: unknown): string => {
  if (typeof value === 'string' && HEX.test(value)) return value.toLowerCase()
  throw new ChainError('bad_response', "The node's answer is not bytes.")
}
