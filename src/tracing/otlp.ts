import { setTimeout as delay } from 'node:timers/promises'
import {
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { Log } from '../kernel/ports/log.ts'
import type { SpanOptions, Tracer } from '../kernel/ports/tracing.ts'

export type TracingOptions = {
  /** The URL of an OpenTelemetry collector (OTLP over HTTP), without the path `/v1/traces`. */
  endpoint: string
  /** The share of traces to keep, from 0 to 1. Ignored if a request has a `traceparent` header. */
  ratio: number
  /** The name of this program in the spans (the attribute `service.name`). */
  service: string
  instanceId: string
  version: string
  log: Log
}

export type Tracing = {
  readonly tracer: Tracer
  /** Sends the waiting spans and ends the export. Takes at most one second. Never throws. */
  close(): Promise<void>
}

/** The highest number of spans that wait to be sent. Spans above this number are dropped. */
const MAX_WAITING = 4_096
const EXPORT_TIMEOUT_MS = 5_000
const EXPORT_EVERY_MS = 1_000
const CLOSE_MS = 1_000
/** The shortest time between two log lines about an unreachable collector. */
const COMPLAIN_EVERY_MS = 60_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanOptions['kind'], SpanKind>

/**
 * Sends spans to an OpenTelemetry collector in the background. The `sampled` flag of a parent span
 * decides if a trace is kept. Without a parent span, `ratio` decides. If the collector fails, spans
 * are lost, but the service continues.
 */
export const openOtlp = (options: TracingOptions): Tracing => {
  diag.setLogger(complaintsTo(options.log), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': options.version,
      'service.instance.id': options.instanceId,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
        {
          maxQueueSize: MAX_WAITING,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        },
      ),
    ],
  })
  return {
    tracer: tracerOf(provider),
    async close() {
      const timeUp = new AbortController()
      await Promise.race([
        provider.shutdown().catch(() => {}),
        delay(CLOSE_MS, undefined, { signal: timeUp.signal }).catch(() => {}),
      ])
      timeUp.abort()
    },
  }
}

const tracerOf = (provider: BasicTracerProvider): Tracer => {
  const tracer = provider.getTracer('fundproof')
  return {
    start(name, { kind, parent, links, attributes }) {
      const context =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent))
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes: { ...(typeof attributes === 'function' ? attributes() : attributes) },
          ...(links === undefined ? {} : { links: links.map(linkTo) }),
        },
        context,
      )
      return {
        traceParent: traceParentOf(span.spanContext()),
        set: (more) => {
          span.setAttributes({ ...more })
        },
        end(failed) {
          if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed })
          span.end()
        },
      }
    },
  }
}

/** Reads a valid `traceparent`, for example `00-<32 hex digits>-<16 hex digits>-01`. */
const spanContextOf = (traceParent: string): SpanContext => ({
  traceId: traceParent.slice(3, 35),
  spanId: traceParent.slice(36, 52),
  traceFlags: Number.parseInt(traceParent.slice(53, 55), 16) & 1,
  isRemote: true,
})

const traceParentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`

const linkTo = (traceParent: string): Link => ({ context: spanContextOf(traceParent) })

/** Writes OpenTelemetry's own errors to the log, at most one per `COMPLAIN_EVERY_MS`. */
const complaintsTo = (log: Log) => {
  let nextAt = 0
  const complain = (message: string): void => {
    const now = performance.now()
    if (now < nextAt) return
    nextAt = now + COMPLAIN_EVERY_MS
    log.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  }
  const ignore = (): void => {}
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore }
}
