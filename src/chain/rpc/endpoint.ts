import { Pool } from 'undici'
import { hideKeysOf } from '../../kernel/formats/hide-keys.ts'
import { parseRetryAfter } from '../../kernel/formats/retry-after.ts'
import { ChainError } from '../errors.ts'
import { answerBytes, checkValues } from './answer-limits.ts'
import {
  decodeBatch,
  encodeBatch,
  encodeCall,
  isTooLarge,
  type RpcCall,
  type RpcReply,
} from './json-rpc.ts'

/** One node. `name` is the host of the node's URL, because the rest of the URL may hold a key. */
export type Endpoint = {
  name: string
  /**
   * Sends the calls in one HTTP request: as a batch or, with `single`, only the first call, outside
   * a batch. Throws ChainError unless every call gets a reply.
   */
  exchange(calls: readonly RpcCall[], form?: 'batch' | 'single', room?: Room): Promise<RpcReply[]>
  close(): Promise<void>
}

/** How many bytes the answers of several exchanges may still have. */
export type Room = { bytes: number }

export type EndpointLimits = {
  /** The time limit of one exchange, from connecting to the last byte of the body. */
  timeoutMs: number
  /** The most bytes of all answers to one `send`. Answers that are asked for again count twice. */
  maxResponseBytes: number
}

const MAX_CONNECTIONS = 8
const MAX_ERROR_BYTES = 16 * 1024
const FIRST_BYTES = 64 * 1024

export const createEndpoint = (url: string, limits: EndpointLimits): Endpoint => {
  const { origin, pathname, search, host, username, password } = new URL(url)
  const hide = hideKeysOf(url)
  // The timeout of the whole exchange replaces undici's timeouts for headers and body.
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: limits.timeoutMs },
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(username === '' ? {} : { authorization: basic(username, password) }),
  }
  return {
    name: host,
    async exchange(calls, form = 'batch', room = { bytes: limits.maxResponseBytes }) {
      const timeout = AbortSignal.timeout(limits.timeoutMs)
      try {
        const response = await pool.request({
          method: 'POST',
          path: pathname + search,
          headers,
          body: form === 'single' && calls[0] ? encodeCall(calls[0]) : encodeBatch(calls),
          signal: timeout,
        })
        const accepted = response.statusCode === 200
        const limit = accepted ? answerBytes(calls) : MAX_ERROR_BYTES
        const body = await readBody(response.body, limit, room, host)
        if (!accepted) {
          throw httpError(response.statusCode, response.headers['retry-after'], host, body)
        }
        // Many values of few bytes take as much of the room as real values would.
        const least = checkValues(body, Math.min(limit, room.bytes + body.length), host)
        room.bytes -= Math.max(0, least - body.length)
        return decodeBatch(body, calls.length, host, hide)
      } catch (error) {
        if (error instanceof ChainError) throw error
        if (pool.destroyed) throw new ChainError('closed', 'The chain client was closed.')
        if (timeout.aborted) {
          throw new ChainError('timeout', `${host} took longer than ${limits.timeoutMs} ms.`)
        }
        throw new ChainError('transport', `${host} cannot be reached: ${reasonOf(error)}`)
      }
    },
    close: () => pool.destroy(),
  }
}

/** Reads a body into one buffer, because a list of small chunks takes 100 times its bytes. */
const readBody = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  room: Room,
  host: string,
): Promise<string> => {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let size = 0
  for await (const chunk of body) {
    const end = size + chunk.length
    room.bytes -= chunk.length
    // An error leaves the loop, which destroys the stream and its connection.
    if (end > maxBytes || room.bytes < 0) {
      throw new ChainError('too_large', `${host} sent too many bytes: ${end}.`)
    }
    if (end > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * buffer.length))
      buffer.copy(larger, 0, 0, size)
      buffer = larger
    }
    buffer.set(chunk, size)
    size = end
  }
  // All data in answers is ASCII. Other characters would double the memory of the whole text.
  return buffer.toString('latin1', 0, size)
}

const httpError = (
  status: number,
  retryAfter: string | string[] | undefined,
  host: string,
  body: string,
): ChainError => {
  const message = `${host} answered HTTP ${status}.`
  const retryAfterMs = parseRetryAfter(retryAfter, new Date()) ?? undefined
  if (status === 429) return new ChainError('rate_limited', message, retryAfterMs)
  if (status >= 500) return new ChainError('transport', message, retryAfterMs)
  // Nodes report an oversized batch by the HTTP status or by the text of the body.
  if (status === 413 || isTooLarge({ code: 0, message: body })) {
    return new ChainError('too_large', message)
  }
  return new ChainError('rpc_error', message)
}

const basic = (username: string, password: string): string => {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}

/** Returns a code such as ECONNREFUSED, not the message, because a message may hold the URL. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'connection failed'
