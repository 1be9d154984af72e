import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { MetricsRegistry } from './registry.ts'

type MetricsServer = { readonly port: number; close(): Promise<void> }

/**
 * Starts to listen, and returns the port. Throws StartError, which names `setting`, if the server
 * cannot listen there.
 */
export const listen = (
  server: Server,
  host: string,
  port: number,
  setting: 'PORT' | 'METRICS_PORT',
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken: stop the program that listens there, or set ${setting}.`
          : `The process cannot listen on ${host}:${port}, see HOST and ${setting}: ${error.message}.`
      reject(new StartError(reason))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

/**
 * Serves `GET /metrics` on a separate port. The port must not be public, because the metrics show
 * internals of the service. Throws StartError if the server cannot listen on this port.
 */
export const serveMetrics = async (
  registry: MetricsRegistry,
  host: string,
  port: number,
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found. Try /metrics.\n')
      return
    }
    registry.text().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(`${messageOf(error)}\n`),
    )
  })
  return {
    port: await listen(server, host, port, 'METRICS_PORT'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
