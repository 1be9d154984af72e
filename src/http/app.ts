import { Hono } from 'hono'
import type { AppDeps } from './deps.ts'
import { createPages } from './docs.ts'
import { createEdge } from './edge.ts'
import { createMiss } from './miss.ts'
import { createDocument } from './openapi.ts'
import { createOperations } from './routes/index.ts'

/**
 * The HTTP half. Every answer, of an operation or of none, goes through the one edge; Hono itself
 * only routes, so that a request costs no chain of middleware.
 */
export const createApp = (deps: AppDeps): Hono => {
  const app = new Hono()
  const edge = createEdge(deps)
  const operations = createOperations(deps, () => document())
  const document = createDocument(operations, deps)
  for (const operation of operations) {
    const handle = edge(operation.path, (scope, req) => operation.run(deps, scope, req))
    app.on(operation.method.toUpperCase(), operation.path, handle)
  }
  const pages = createPages()
  for (const { path, outcome } of pages) {
    app.get(
      path,
      edge(path, async () => outcome),
    )
  }
  app.notFound(edge('none', createMiss([...operations, ...pages], deps.corsOrigins)))
  app.onError((error, c) =>
    edge('none', async () => {
      throw error
    })(c),
  )
  return app
}
