export { createMetricsRegistry, type MetricsRegistry } from './registry.ts'
export { serveMetrics } from './server.ts'
