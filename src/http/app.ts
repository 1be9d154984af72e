import { Hono } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import type { AppDeps } from './deps.ts'
import { createPages } from './docs.ts'
import { createEdge } from './edge.ts'
import { createMiss } from './miss.ts'
import { createDocument } from './openapi.ts'
import { createOperations } from './routes/index.ts'

/** What is asked for and is no operation: one name for all of it, however many paths are tried. */
const NOWHERE = { path: 'none', operation: 'none' }

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
    const { path, operationId, probe } = operation
    const route = { path, operation: operationId, probe }
    const handle = edge(route, async (scope, req) => {
      if (!probe) refuseOutdated(deps)
      return operation.run(deps, scope, req)
    })
    app.on(operation.method.toUpperCase(), operation.path, handle)
  }
  const pages = createPages()
  for (const { path, answer } of pages) {
    app.get(
      path,
      edge({ path, operation: 'docs' }, async (_, req) => answer(req)),
    )
  }
  app.notFound(edge(NOWHERE, createMiss([...operations, ...pages], deps.corsOrigins)))
  app.onError((error, c) =>
    edge(NOWHERE, async () => {
      throw error
    })(c),
  )
  return app
}

/** Probes are answered all the same. */
const refuseOutdated = ({ isOutdated }: AppDeps): void => {
  if (!isOutdated?.()) return
  throw new DomainError(
    'unavailable',
    'A newer version of the service takes over. Try again shortly.',
  )
}
