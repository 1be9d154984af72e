import { proveHeader } from '../encoding/header.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { type RpcCall, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import { readObject } from '../rpc/read.ts'
import type { Header } from '../types.ts'

export const blockCall = (
  block: number | 'latest' | 'finalized',
  { full = false } = {},
): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? `0x${block.toString(16)}` : block, full],
})

/** Proves and returns the header in a reply. Returns null if the node does not have the block. */
export const readHeader = (
  reply: RpcReply | undefined,
  tools: ProofTools,
  node: string,
  number?: number,
): Header | null => {
  const raw = resultOf(reply, node)
  if (raw === null) return null
  const header = proveHeader(readObject(raw, 'block'), tools)
  return number === undefined ? header : expectNumber(header, number)
}

export const expectNumber = <H extends Header>(header: H, expected: number | undefined): H => {
  if (header.number === expected) return header
  throw new ChainError(
    'header_forged',
    `The node sent block ${header.number} instead of ${expected}.`,
  )
}

export const missing = (what: string): ChainError =>
  new ChainError('block_missing', `The node does not have ${what}: it is behind or in a reorg.`)
