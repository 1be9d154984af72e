import { ChainError } from '../errors.ts'
import {
  failureAsError,
  isRateLimit,
  type RpcCall,
  type RpcFailure,
  type RpcReply,
  resultOf,
} from '../rpc/json-rpc.ts'

/** A call for `eth_call`. Without `to`, `data` runs as code that creates a contract. */
export type StateCall = { to?: string; data: string; gas: number }

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/
/** The error code of a revert (execution-apis). For other failures, each node has its own codes. */
const REVERT_CODE = 3
const EXECUTION_FAILED =
  /revert|out of gas|gas required exceeds|invalid opcode|invalid jump|stack (?:under|over)flow|execution (?:error|failed)|vm execution|evm error|invalid operand|code size|initcode/i

/** Names a block by its hash (EIP-1898), so that a reorg between two calls causes an error. */
export const atBlock = ({ hash }: { hash: string }) => ({ blockHash: hash })

export const ethCall = (block: { hash: string }, { to, data, gas }: StateCall): RpcCall => ({
  method: 'eth_call',
  params: [
    { ...(to === undefined ? {} : { to }), data, gas: `0x${gas.toString(16)}` },
    atBlock(block),
  ],
})

/** A call's result; null if the call reverts or lacks gas. Throws ChainError for other failures. */
export const readRan = (reply: RpcReply | undefined, node: string): string | null => {
  if (reply?.ok === false) {
    if (isFailedExecution(reply.error)) return null
    throw failureAsError(reply.error, node)
  }
  return readBytes(resultOf(reply, node))
}

export const readBytes = (value: unknown): string => {
  if (typeof value === 'string' && HEX.test(value)) return value.toLowerCase()
  throw new ChainError('bad_response', "The node's answer is not hex data.")
}

/** Whether a call failed in the EVM, such as by a revert, and not because of the node. */
export const isFailedExecution = (failure: RpcFailure): boolean =>
  !isRateLimit(failure) && (failure.code === REVERT_CODE || EXECUTION_FAILED.test(failure.message))
