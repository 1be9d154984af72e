import { randomUUID } from 'node:crypto'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { STATUS_OF, toEnvelope, toRefusal } from './errors.ts'

/**
 * The app as a listener of `node:http`. Requests that fail before they reach the app, for example
 * because of an invalid address, also get a JSON error.
 */
export const createListener = (app: Hono, log: Log): RequestListener => {
  const listener = getRequestListener(app.fetch, {
    errorHandler: (error) => {
      const refusal =
        error instanceof RequestError
          ? new DomainError('invalid_request', 'The request is not valid HTTP.')
          : toRefusal(error)
      if (refusal.code === 'internal') log.error({ err: error }, 'a request failed')
      const { status, headers, body } = bareAnswer(refusal)
      return new Response(body, { status, headers })
    },
  })
  return (request, response) => {
    if (hostsOf(request.rawHeaders) > 1) refuseHosts(response)
    else void listener(request, response)
  }
}

/** Counts the Host headers. If a request has several, Node and a proxy may use different ones. */
const hostsOf = (rawHeaders: readonly string[]): number => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++
  }
  return hosts
}

/** Refuses a request with several Host headers (RFC 9112, section 3.2). */
const refuseHosts = (response: ServerResponse): void => {
  const refusal = new DomainError('invalid_request', 'The request has more than one Host header.')
  const { status, headers, body } = bareAnswer(refusal)
  const length = { 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  response.writeHead(status, { ...headers, ...length }).end(body)
}

/** The time in which a client can read the answer to a request that is not valid HTTP. */
const LINGER_MS = 1_000

/**
 * Answers requests that are not valid HTTP with a JSON error, because Node would send an empty
 * answer. Create the server with `requireHostHeader: false`, so that the app can refuse a request
 * without a Host header.
 */
export const answerMalformedRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = new DomainError('invalid_request', sentenceOf(error.code))
    const { headers, body } = bareAnswer(refusal)
    const lines = [
      `HTTP/1.1 ${lineOf(error.code)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    // Without this timer, a client that does not close its side would keep the connection open.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
  // Ignores an `Expect` header other than 100-continue, as RFC 9110, section 10.1.1, allows.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

const bareAnswer = (refusal: DomainError) => {
  const requestId = randomUUID()
  return {
    status: STATUS_OF[refusal.code],
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    },
    body: JSON.stringify(toEnvelope(refusal, requestId)),
  }
}

const lineOf = (code: string | undefined): string => {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}

const sentenceOf = (code: string | undefined): string => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers of the request are too large.'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive.'
  return 'The request is not valid HTTP.'
}
