export { createMetricsRegistry, type MetricsRegistry } from './registry.ts'
export { listen, serveMetrics } from './server.ts'
