import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Hono } from 'hono'
import { answerMalformedRequests, createListener } from '../edge/listener.ts'
import type { Log } from '../kernel/ports/log.ts'
import { type Metrics, noMetrics } from '../kernel/ports/metrics.ts'

export type ServerOptions = {
  app: Hono
  log: Log
  metrics?: Metrics | undefined
  /** The most open connections. Further connections are closed at once. */
  maxConnections?: number
  /** The time limits for receiving a request's headers and for receiving the whole request. */
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** A connection that waits for its client is closed if no byte moves for this time. */
  stalledMs?: number
  /** The pause between checks of these time limits. */
  checkMs?: number
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const STALLED_MS = 30_000
const CHECK_MS = 4_000
/** The most requests that may wait on one connection. A further request closes the connection. */
const MAX_AHEAD = 20

/** Creates the HTTP server, which limits the memory and the time that a client can use. */
export const createHttpServer = (options: ServerOptions): Server => {
  const { app, log, checkMs = CHECK_MS } = options
  const turns = createTurns(createListener(app, log))
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: checkMs,
      // The app refuses a request without a Host header, because Node would not answer with JSON.
      requireHostHeader: false,
    },
    turns.listener,
  )
  answerMalformedRequests(server)
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
  const metrics = options.metrics ?? noMetrics
  server.on('drop', () => metrics.count('fundproof_http_connections_refused_total', {}))
  endStalled(server, turns.isServed, { stalledMs: options.stalledMs ?? STALLED_MS, checkMs })
  return server
}

/**
 * Serves the requests of a connection one after the other. Node would start all pipelined requests
 * at once. If the client does not read, all answers would then stay in memory.
 */
const createTurns = (serve: RequestListener) => {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  const listener: RequestListener = (request, response) => {
    const { socket } = request
    const ahead = waiting.get(socket)
    const begin = (): void => {
      response.once('close', next)
      serve(request, response)
    }
    const next = (): void => {
      const following = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (following) following()
      else waiting.delete(socket)
    }
    if (ahead === undefined) {
      waiting.set(socket, [])
      begin()
    } else if (ahead.push(begin) > MAX_AHEAD) socket.destroy()
  }
  return { listener, isServed: (socket: Socket): boolean => waiting.has(socket) }
}

/**
 * Closes connections on which no byte moved for `stalledMs`. A connection stays open while the
 * server works on an answer and no bytes wait for the client, as in a stream without events.
 */
const endStalled = (
  server: Server,
  isServed: (socket: Socket) => boolean,
  { stalledMs, checkMs }: { stalledMs: number; checkMs: number },
): void => {
  const watched = new Map<Socket, { moved: number; sinceMs: number }>()
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { moved: 0, sinceMs: performance.now() })
    socket.once('close', () => watched.delete(socket))
  })
  const check = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, seen] of watched) {
      const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength
      const waitsForUs = isServed(socket) && socket.writableLength === 0
      if (moved !== seen.moved || waitsForUs) watched.set(socket, { moved, sinceMs: nowMs })
      // A TCP reset also frees the bytes that the kernel still holds for the client.
      else if (nowMs - seen.sinceMs >= stalledMs) socket.resetAndDestroy()
    }
  }, checkMs)
  check.unref()
  server.once('close', () => clearInterval(check))
}
