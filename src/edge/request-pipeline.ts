import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext, HonoRequest } from 'hono'
import { type DomainError, messageOf } from '../kernel/errors.ts'
import { type Metrics, noMetrics } from '../kernel/ports/metrics.ts'
import { noTracing } from '../kernel/ports/tracing.ts'
import type { AnswerStream, Outcome } from './answer/outcome.ts'
import { createCors } from './cors.ts'
import type { AppDeps } from './deps.ts'
import { headersOf, STATUS_OF, toEnvelope, toRefusal } from './errors.ts'
import type { Refuse } from './page-route.ts'
import { blockedByLink } from './request/geo-block.ts'
import { createRequestContexts, type RequestContext, type Route } from './request-context.ts'

type Work = (request: RequestContext, req: HonoRequest) => Promise<Outcome>

/**
 * Makes a Hono handler that runs `work`. `route` names the handler in logs, metrics and traces.
 * `refuse` makes the answer if `work` throws; by default, that answer is JSON.
 */
type Pipeline = (route: Route, work: Work, refuse?: Refuse) => (c: HonoContext) => Promise<Response>

/** Creates the steps that all requests share: id, headers, log line, metrics, errors as JSON. */
export const createPipeline = (deps: AppDeps): Pipeline => {
  const openContext = createRequestContexts({
    log: deps.log,
    https: deps.settings.publicUrl.startsWith('https:'),
    rateLimits: deps.rateLimits,
    tracer: deps.tracer ?? noTracing,
  })
  const metrics = deps.metrics ?? noMetrics
  const cors = createCors(deps.corsOrigins)
  const blockedBy = { Link: blockedByLink(deps.settings) }
  const refuseAsJson: Refuse = (refusal, { requestId }) => ({
    status: STATUS_OF[refusal.code],
    text: JSON.stringify(toEnvelope(refusal, requestId)),
    headers: refusal.code === 'blocked_for_legal_reasons' ? blockedBy : headersOf(refusal.code),
  })

  return (route, work, refuse = refuseAsJson) =>
    async (c) => {
      const request = openContext(c, route)
      cors.apply(c.req, request.headers)
      let outcome: Outcome
      let code: string | undefined
      try {
        outcome = await counted(work, request, c.req)
      } catch (thrown) {
        const refusal = toRefusal(deps.translateError(thrown))
        code = refusal.code
        if (STATUS_OF[refusal.code] >= 500) logFailure(request, refusal, thrown)
        outcome = await refuse(refusal, request, c.req)
      }
      logRequest(request, c.req.method, route, outcome.status, code)
      measure(metrics, request, route.operation, outcome.status, code)
      return outcome.stream
        ? respondSlowly(c, request, outcome.stream, outcome)
        : respond(request, outcome)
    }
}

/** Runs `work`, then counts the request for its address, unless `work` has already counted it. */
const counted = async (work: Work, request: RequestContext, req: HonoRequest): Promise<Outcome> => {
  try {
    return await work(request, req)
  } finally {
    request.limits.countAddress()
  }
}

const respond = ({ headers }: RequestContext, outcome: Outcome): Response => {
  if (outcome.text !== null) headers['Content-Type'] = 'application/json'
  if (outcome.headers) addHeaders(headers, outcome.headers)
  const { status, text } = outcome
  const isLong = text !== null && text.length > PIECE_BYTES
  const bytes = outcome.bytes ?? (isLong ? new TextEncoder().encode(text) : undefined)
  if (!bytes) return new Response(text, { status, headers })
  headers['Content-Length'] = String(bytes.byteLength)
  return new Response(inPieces(bytes), { status, headers })
}

/**
 * Adds an answer's own headers, which replace common headers. An empty value removes the common
 * header. Only `Vary` keeps both values.
 */
const addHeaders = (
  headers: Record<string, string>,
  own: Readonly<Record<string, string>>,
): void => {
  const always = headers.Vary
  Object.assign(headers, own)
  if (own.Vary !== undefined) headers.Vary = `${always}, ${own.Vary}`
  for (const [name, value] of Object.entries(own)) {
    if (value === '') delete headers[name]
  }
}

const PIECE_BYTES = 32_768

/** Sends bytes in pieces, so that the server can see how many bytes the client has taken. */
const inPieces = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES))
      at += PIECE_BYTES
      if (at >= bytes.byteLength) controller.close()
    },
  })
}

/** Responds with a stream. For a HEAD request, sends only the headers and opens no stream. */
const respondSlowly = (
  c: HonoContext,
  { headers }: RequestContext,
  stream: AnswerStream,
  { status, headers: own }: Outcome,
): Response => {
  Object.assign(headers, own)
  if (c.req.method === 'HEAD') {
    stream.discard()
    return new Response(null, { status, headers })
  }
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  return new Response(
    stream.open(() => outgoing?.destroy()),
    { status, headers },
  )
}

const logRequest = (
  { log, startedAtMs }: RequestContext,
  method: string,
  route: Route,
  status: number,
  code: string | undefined,
): void => {
  const level = route.probe ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  log[level](
    { method, route: route.path, status, durationMs, ...(code ? { code } : {}) },
    'request',
  )
}

const measure = (
  metrics: Metrics,
  { span, startedAtMs }: RequestContext,
  operation: string,
  status: number,
  code: string | undefined,
): void => {
  const seconds = (performance.now() - startedAtMs) / 1_000
  metrics.count('fundproof_http_requests_total', { operation, status })
  metrics.observe('fundproof_http_request_duration_seconds', { operation }, seconds)
  span.set({ 'http.response.status_code': status, ...(code ? { 'error.type': code } : {}) })
  // A 4xx status is the caller's error, so the span has not failed (rule of OpenTelemetry).
  span.end(status >= 500 ? (code ?? String(status)) : undefined)
}

const logFailure = ({ log }: RequestContext, refusal: DomainError, thrown: unknown): void => {
  if (refusal.code === 'internal') log.error({ err: thrown }, 'a request failed')
  else log.warn({ reason: messageOf(thrown) }, 'a request could not be served')
}
