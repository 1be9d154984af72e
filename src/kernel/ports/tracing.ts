/** The kinds of spans, named as in OpenTelemetry. Spans follow a request through all processes. */
type SpanKind = 'server' | 'client' | 'internal'
type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  kind: SpanKind
  /** The W3C `traceparent` of the parent, read by `parseTraceParent`; null starts a new trace. */
  parent: string | null
  /** The `traceparent` values of related traces. */
  links?: readonly string[]
  /** If `attributes` is a function, it is called only if tracing is on. */
  attributes?: Attributes | (() => Attributes)
}

export type Span = {
  /** The `traceparent` for child spans; null if there is none. */
  readonly traceParent: string | null
  set(attributes: Attributes): void
  /** Ends the span. Only ended spans are exported. `failed` is the reason if the work failed. */
  end(failed?: string): void
}

/** Starts spans. Neither the tracer nor its spans throw or wait. */
export type Tracer = {
  start(name: string, options: SpanOptions): Span
}

const ignore = (): void => {}

/** Keeps no spans, but passes the `traceparent` of the caller on, for example to webhooks. */
export const noTracing: Tracer = {
  start: (_name, { parent }) => ({ traceParent: parent, set: ignore, end: ignore }),
}

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. */
const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/
const LENGTH = 55

/**
 * Reads a `traceparent` header; null if it is invalid. A header of a later version is cut to the
 * fields of version 00, as the W3C recommendation requires.
 */
export const parseTraceParent = (header: string | undefined): string | null => {
  if (header === undefined || !TRACE_PARENT.test(header)) return null
  const known = header.slice(0, LENGTH)
  if (!header.startsWith('00')) return `00${known.slice(2)}`
  return header.length === LENGTH ? known : null
}

/** Whether the caller wants this trace to be kept (the `sampled` flag). */
export const isSampled = (traceParent: string | null): traceParent is string =>
  traceParent !== null && (Number.parseInt(traceParent.slice(53, 55), 16) & 1) === 1
