import { noTracing } from '../kernel/ports/tracing.ts'
import type { Tracing, TracingOptions } from './otlp.ts'

/** Starts the export of traces. Without options, OpenTelemetry is not loaded. */
export const openTracing = async (options: TracingOptions | undefined): Promise<Tracing> => {
  if (options === undefined) return { tracer: noTracing, close: async () => {} }
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(options)
}
