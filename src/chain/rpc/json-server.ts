import { Pool } from 'undici'
import { parseRetryAfter } from '../../kernel/formats/retry-after.ts'
import { ChainError } from '../errors.ts'
import { isTooLarge } from './json-rpc.ts'

/** How many bytes the bodies of several answers may still have. */
export type Room = { bytes: number }

type Asked = {
  /** Added to the path of the URL, and to its query. */
  path?: string
  query?: Readonly<Record<string, number>>
  /** The JSON to POST. Without it, the request is a GET. */
  body?: string
  /** The most bytes of the answer. */
  limit: number
  room?: Room
}

/** A server of JSON. `name` is the host of its URL, because the rest of the URL may hold a key. */
export type JsonServer = {
  name: string
  /** Returns the text of an answer. Throws ChainError unless its status is 200. */
  ask(asked: Asked): Promise<string>
  close(): Promise<void>
}

const MAX_CONNECTIONS = 8
const MAX_ERROR_BYTES = 16 * 1024
const FIRST_BYTES = 64 * 1024

/** @param timeoutMs the time limit of one request, from connecting to the last byte of the body */
export const createJsonServer = (url: string, timeoutMs: number): JsonServer => {
  const { origin, host, username, password } = new URL(url)
  // The timeout of the whole exchange replaces undici's timeouts for headers and body.
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
  })
  const headers = {
    accept: 'application/json',
    ...(username === '' ? {} : { authorization: basic(username, password) }),
  }
  return {
    name: host,
    async ask({ path = '', query = {}, body: sent, limit, room = { bytes: limit } }) {
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const response = await pool.request({
          ...(sent === undefined
            ? { method: 'GET', headers }
            : { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body: sent }),
          path: withPath(url, path, query),
          signal: timeout,
        })
        const accepted = response.statusCode === 200
        const body = await readBody(response.body, accepted ? limit : MAX_ERROR_BYTES, room, host)
        if (accepted) return body
        throw httpError(response.statusCode, response.headers['retry-after'], host, body)
      } catch (error) {
        if (error instanceof ChainError) throw error
        if (pool.destroyed) throw new ChainError('closed', 'The chain client was closed.')
        if (timeout.aborted) {
          throw new ChainError('timeout', `${host} took longer than ${timeoutMs} ms.`)
        }
        throw new ChainError('transport', `${host} cannot be reached: ${reasonOf(error)}`)
      }
    },
    close: () => pool.destroy(),
  }
}

const withPath = (url: string, path: string, query: Asked['query'] = {}): string => {
  const target = new URL(url)
  if (path !== '') target.pathname = target.pathname.replace(/\/$/, '') + path
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value))
  return target.pathname + target.search
}

const JSON_TYPE = { 'content-type': 'application/json' }

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
