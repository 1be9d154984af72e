export { createMetricsRegistry, type MetricsRegistry } from './registry.ts'
export { type MetricsServer, serveMetrics } from './server.ts'
