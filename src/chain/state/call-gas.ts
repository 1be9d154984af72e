import { type RpcCall, type RpcFailure, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import { readArray, readNumber, readObject } from '../rpc/read.ts'
import { atBlock, isFailedExecution } from './state-calls.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Asks for the gas of one call, or of several calls that run one after the other. */
export const gasCall = (
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
export const readGas = (reply: RpcReply | undefined, node: string): number | null | undefined => {
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
