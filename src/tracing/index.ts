import { noTracing } from '../kernel/ports/tracing.ts'
import type { Tracing, TracingOptions } from './otlp.ts'

/** Where traces go. Without options nothing of OpenTelemetry is even loaded. */
export const openTracing = async (options: TracingOptions | undefined): Promise<Tracing> => {
  if (options === undefined) return { tracer: noTracing, close: async () => {} }
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(options)
}
