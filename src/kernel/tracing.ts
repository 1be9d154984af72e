/** Where a request goes, over processes and time: spans of one trace, named as OpenTelemetry does. */
export type SpanKind = 'server' | 'client' | 'internal'
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  kind: SpanKind
  /** W3C `traceparent` of what caused it; null begins a trace. Read with `parseTraceParent`. */
  parent: string | null
  /** `traceparent`s of other traces that it has to do with. */
  links?: readonly string[]
  /** A function is called only where the span is kept. */
  attributes?: Attributes | (() => Attributes)
}

export type Span = {
  /** To hand on to what it causes; null where there is nothing to hand on. */
  readonly traceParent: string | null
  set(attributes: Attributes): void
  /** Ends it; one that never ends is never told. `failed` says why it is an error. */
  end(failed?: string): void
}

/** Where traces go. Neither it nor its spans throw or wait. */
export type Tracer = {
  start(name: string, options: SpanOptions): Span
}

const ignore = (): void => {}

/** Keeps nothing, but hands on what it was given: a caller's trace goes through to its webhooks. */
export const noTracing: Tracer = {
  start: (_name, { parent }) => ({ traceParent: parent, set: ignore, end: ignore }),
}

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. */
const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/
const LENGTH = 55

/**
 * A `traceparent` header as it is handed on, or null for what is none. Of later versions the part
 * that version 00 knows is taken, as the recommendation asks for.
 */
export const parseTraceParent = (header: string | undefined): string | null => {
  if (header === undefined || !TRACE_PARENT.test(header)) return null
  const known = header.slice(0, LENGTH)
  if (!header.startsWith('00')) return `00${known.slice(2)}`
  return header.length === LENGTH ? known : null
}

/** Whether the one who began the trace wants it kept (the `sampled` flag). */
export const isSampled = (traceParent: string | null): traceParent is string =>
  traceParent !== null && (Number.parseInt(traceParent.slice(53, 55), 16) & 1) === 1
