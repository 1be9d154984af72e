import { ChainError } from '../errors.ts'
import { type RpcObject, readNumber } from './read.ts'

export type RpcCall = { method: string; params: readonly unknown[] }

export type RpcFailure = { code: number; message: string }

/** The answer to one call. If this call fails, other calls of the same batch may still succeed. */
export type RpcReply = { ok: true; result: unknown } | { ok: false; error: RpcFailure }

const MAX_MESSAGE_CHARS = 200
/** -32005 is "limit exceeded" (EIP-1474). Some providers send the HTTP status 429 as the code. */
const RATE_LIMIT_CODES = new Set([-32005, 429])

/** Encodes a batch (JSON-RPC 2.0, section 6). The id of a call is its index in the list. */
export const encodeBatch = (calls: readonly RpcCall[]): string =>
  JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))

/** Encodes one call, with the id 0, for nodes that do not accept batches. */
export const encodeCall = ({ method, params }: RpcCall): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 0, method, params })

/**
 * Decodes the answer to a batch. Returns the replies in the order of the calls, matched by id.
 * `hide` hides the keys of the node's URL, which an error may repeat.
 *
 * @throws ChainError `bad_response` for invalid JSON and for a missing, duplicate or unknown reply;
 *   `rate_limited`, `too_large`, `no_batches` or `rpc_error` for an error about the whole batch
 */
export const decodeBatch = (
  body: string,
  count: number,
  node: string,
  hide: (text: string) => string,
): RpcReply[] => {
  const parsed = parse(body, node)
  const items = Array.isArray(parsed) ? parsed : [parsed]
  const replies: (RpcReply | undefined)[] = new Array(count)
  for (const item of items) {
    const reply = readReply(item, node, hide)
    const id: unknown = isObject(item) ? item.id : undefined
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= count) {
      throw reply.ok
        ? bad(node, 'an unknown id')
        : batchError(reply.error, node, Array.isArray(parsed))
    }
    if (replies[id] !== undefined) throw bad(node, 'a duplicate id')
    replies[id] = reply
  }
  return Array.from(replies, (reply, id) => {
    if (reply === undefined) throw bad(node, `no reply for call ${id} of ${count}`)
    return reply
  })
}

export const isRateLimit = (failure: RpcFailure): boolean =>
  RATE_LIMIT_CODES.has(failure.code) || /rate limit|too many requests/i.test(failure.message)

/** Whether a batch or an answer was too large for the node, by Geth's error code or by a text. */
export const isTooLarge = ({ code, message }: RpcFailure): boolean =>
  code === -32003 || (TOO_LARGE.test(message) && !/revert/i.test(message))

const TOO_LARGE =
  /batch.{0,40}(?:limit|large|size|exceed|many|max)|(?:too (?:large|big|many)|maximum|exceed(?:s|ed|ing)?|limit).{0,40}(?:batch|calls)|(?:response|result|payload|body).{0,20}(?:size|too large|too big|exceed)|returned more than|(?:block|query) range/i

/** A node's error about a whole batch, not about one of its calls. */
const batchError = (failure: RpcFailure, node: string, inList: boolean): ChainError => {
  const error = failureAsError(failure, node)
  if (error.code !== 'rpc_error') return error
  // JSON-RPC 2.0: -32600 is "invalid request". The calls are valid, so the batch must be too large.
  if (inList)
    return new ChainError(failure.code === -32600 ? 'too_large' : error.code, error.message)
  return new ChainError('no_batches', error.message)
}

/** Whether the node lacks a block, by the code -32001 (EIP-1474) or by the text of the message. */
const isMissing = ({ code, message }: RpcFailure): boolean =>
  code === -32001 || /(block|header) .*not found|unknown block|header not found/i.test(message)

export const failureAsError = (failure: RpcFailure, node: string): ChainError => {
  const said = `error ${failure.code}: ${failure.message}`
  if (isRateLimit(failure)) return new ChainError('rate_limited', `${node} limits us, ${said}`)
  if (isTooLarge(failure)) return new ChainError('too_large', `${node} refuses, ${said}`)
  if (isMissing(failure)) return new ChainError('block_missing', `${node} is behind, ${said}`)
  return new ChainError('rpc_error', `${node} answered ${said}`)
}

/** Returns the result of a reply. Throws a ChainError if the reply is a failure. */
export const resultOf = (reply: RpcReply | undefined, node: string): unknown => {
  if (reply === undefined) throw bad(node, 'no reply')
  if (!reply.ok) throw failureAsError(reply.error, node)
  return reply.result
}

/** Checks the answer to `eth_chainId`. Throws ChainError `wrong_chain` for another chain id. */
export const checkChainId = (reply: RpcReply | undefined, expected: number, node: string): void => {
  const actual = readNumber(resultOf(reply, node), 'chain id')
  if (actual !== expected) {
    throw new ChainError('wrong_chain', `${node} serves chain ${actual}, not chain ${expected}.`)
  }
}

const parse = (body: string, node: string): unknown => {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw bad(node, 'no JSON')
  }
}

const readReply = (item: unknown, node: string, hide: (text: string) => string): RpcReply => {
  if (!isObject(item)) throw bad(node, 'no JSON-RPC reply')
  const { error } = item
  if (isObject(error)) {
    const message = typeof error.message === 'string' ? error.message : ''
    const code = typeof error.code === 'object' ? Number.NaN : Number(error.code)
    return { ok: false, error: { code, message: hide(message).slice(0, MAX_MESSAGE_CHARS) } }
  }
  if (item.result === undefined) throw bad(node, 'neither a result nor an error')
  return { ok: true, result: item.result }
}

const isObject = (value: unknown): value is RpcObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bad = (node: string, what: string): ChainError =>
  new ChainError('bad_response', `${node} answered ${what}.`)
