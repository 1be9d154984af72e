import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Hono } from 'hono'
import type { Log } from '../kernel/ports/log.ts'
import { type Metrics, noMetrics } from '../kernel/ports/metrics.ts'
import { answerMalformedRequests, createListener } from './listener.ts'

export type ServerOptions = {
  app: Hono
  log: Log
  metrics?: Metrics | undefined
  /** Connections beyond these are closed at once. */
  maxConnections?: number
  /** How long the head of a request may take to arrive, and the whole request. */
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** How long a connection may stand still while it waits for its client. */
  stalledMs?: number
  /** How often all of that is looked at. */
  checkMs?: number
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const STALLED_MS = 30_000
const CHECK_MS = 5_000
/** Requests that a connection may send ahead of their turn; a client that sends more is cut off. */
const MAX_AHEAD = 20

/** The server of the app, on which a client holds little memory, and none for long. */
export const createHttpServer = (options: ServerOptions): Server => {
  const { app, log, checkMs = CHECK_MS } = options
  const turns = createTurns(createListener(app, log))
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: checkMs,
      // A missing Host is answered by the application, in the envelope of every other refusal.
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
 * Serves one request of a connection after the other. Node would call the listener for all that
 * arrive together, and a client that reads nothing would hold an answer for each.
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
 * Ends connections on which nothing has moved for a while: the client takes nothing of what waits
 * for it, or nothing waits for it and it sends nothing. An event stream without events may last.
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
      // A reset: the kernel too lets go of what the client does not take.
      else if (nowMs - seen.sinceMs >= stalledMs) socket.resetAndDestroy()
    }
  }, checkMs)
  check.unref()
  server.once('close', () => clearInterval(check))
}
