import type { Log } from '../kernel/log.ts'
import type { Tracer } from '../kernel/tracing.ts'

export type TracingOptions = {
  /** Of an OpenTelemetry collector that speaks OTLP over HTTP; `/v1/traces` is added. */
  endpoint: string
  /** The share of traces that are kept where the caller has not decided: 0 to 1. */
  ratio: number
  /** `service.name` of the spans. */
  service: string
  instanceId: string
  version: string
  log: Log
}

export type Tracing = {
  readonly tracer: Tracer
  /** Sends what is still waiting, for a second at most. Never throws. */
  close(): Promise<void>
}
