import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** A span in OTLP/JSON, with the name of the service that sent it. */
export type ReceivedSpan = {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  kind: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  failed: boolean
}

type Attribute = { key: string; value: Record<string, unknown> }
type WireSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes?: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status?: { code?: number }
}
type Request = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: WireSpan[] }[]
  }[]
}

const STATUS_ERROR = 2

/**
 * Starts an OpenTelemetry collector of traces over OTLP/HTTP in JSON, which stores the spans.
 * `status` is the status of its answers. It stops after the test.
 */
export const startOtlpCollector = async (status = 200) => {
  const spans: ReceivedSpan[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests++
    if (request.url === '/v1/traces' && status === 200) {
      spans.push(...spansOf(JSON.parse(body) as Request))
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, spans, requests: () => requests, close }
}

const spansOf = ({ resourceSpans }: Request): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(recordOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        attributes: recordOf(span.attributes ?? []),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        failed: span.status?.code === STATUS_ERROR,
      })),
    ),
  )

const recordOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
