import { Pool } from 'undici'
import { parseRetryAfter } from '../../kernel/formats/retry-after.ts'
import { ChainError } from '../errors.ts'
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
  exchange(calls: readonly RpcCall[], form?: 'batch' | 'single'): Promise<RpcReply[]>
  close(): Promise<void>
}

export type EndpointLimits = {
  /** The time limit of one exchange, from connecting to the last byte of the body. */
  timeoutMs: number
  maxResponseBytes: number
}

const MAX_CONNECTIONS = 8
const MAX_ERROR_BYTES = 16 * 1024

export const createEndpoint = (url: string, limits: EndpointLimits): Endpoint => {
  const { origin, pathname, search, host, username, password } = new URL(url)
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
    async exchange(calls, form = 'batch') {
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
        const limit = accepted ? limits.maxResponseBytes : MAX_ERROR_BYTES
        const body = await readBody(response.body, limit, host, calls.length)
        if (!accepted) {
          throw httpError(response.statusCode, response.headers['retry-after'], host, body)
        }
        return decodeBatch(body, calls.length, host)
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

const readBody = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  host: string,
  calls: number,
): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // An error leaves the loop, which destroys the stream and its connection.
    if (size > maxBytes) {
      const code = calls > 1 ? 'too_large' : 'bad_response'
      throw new ChainError(code, `${host} sent more than ${maxBytes} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
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
