import { randomUUID } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import type { Log } from '../kernel/ports/log.ts'
import { parseTraceParent, type Span, type Tracer } from '../kernel/ports/tracing.ts'
import { createClientAddress } from './request/client-address.ts'
import { createLimits, type RateLimits, type RequestLimits } from './request/rate-limit.ts'

/** The data that the service keeps for one request until the request has been logged. */
export type RequestContext = {
  readonly requestId: string
  readonly log: Log
  readonly startedAtMs: number
  /**
   * The headers of the answer. A plain record is faster than a `Headers` object, which the Node
   * adapter would sort and copy for each answer.
   */
  readonly headers: Record<string, string>
  readonly limits: RequestLimits
  /** The network of the client, from the socket or from a header of a trusted proxy. */
  readonly address: string
  /** The trace span of the request. It continues the trace of a caller's `traceparent` header. */
  readonly span: Span
}

/** The path pattern and the operation id of a request; each is `none` if no route matches. */
export type Route = {
  readonly path: string
  readonly operation: string
  readonly probe?: true | undefined
}

/** A caller's `X-Request-Id` must be printable ASCII, because logs and jobs use this id. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

type RequestContextOptions = {
  log: Log
  /** Whether clients use https. If so, each answer makes browsers use only https (HSTS). */
  https: boolean
  rateLimits: RateLimits | undefined
  tracer: Tracer
}

/**
 * Returns a function that creates the context of a request. The context has:
 * - an id, which is the caller's `X-Request-Id` or a new id
 * - a log that writes this id in each line
 * - the security headers that every answer has (OWASP REST Security Cheat Sheet)
 */
export const createRequestContexts = ({
  log,
  https,
  rateLimits,
  tracer,
}: RequestContextOptions): ((c: HonoContext, route: Route) => RequestContext) => {
  const openLimits = createLimits(rateLimits)
  const addressOf = createClientAddress(rateLimits?.trustedProxies ?? 0)
  const common: Readonly<Record<string, string>> = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Prefer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    // The pages remove this header, because search engines should index only pages.
    'X-Robots-Tag': 'noindex',
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  return (c, { path, operation }) => {
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID()
    const headers = { ...common, 'X-Request-Id': requestId }
    const span = tracer.start(operation === 'none' ? 'HTTP' : `${c.req.method} ${path}`, {
      kind: 'server',
      parent: parseTraceParent(c.req.header('traceparent')),
      attributes: { 'http.request.method': c.req.method, 'http.route': path },
    })
    const address = addressOf(c)
    const traceId = span.traceParent?.slice(3, 35)
    return {
      requestId,
      log: log.child(traceId === undefined ? { requestId } : { requestId, traceId }),
      span,
      startedAtMs: performance.now(),
      headers,
      address,
      limits: openLimits(address, headers),
    }
  }
}
