import { Hono } from 'hono'
import type { AppDeps } from '../edge/deps.ts'
import { createNotFound } from '../edge/not-found.ts'
import type { Pages } from '../edge/page-route.ts'
import { createPipeline } from '../edge/request-pipeline.ts'
import { DomainError } from '../kernel/errors.ts'
import { createDocs } from './docs/pages.ts'
import { createDocument } from './openapi/document.ts'
import { createOperations } from './routes/index.ts'

/** All requests that match no operation share these names in logs, metrics and traces. */
const NOWHERE = { path: 'none', operation: 'none' }

/**
 * Creates the HTTP application. All requests, also requests for unknown paths, run through the same
 * pipeline. Hono only chooses the handler. Hono's middleware is not used.
 */
export const createApp = (deps: AppDeps, pages?: Pages): Hono => {
  const app = new Hono()
  const pipeline = createPipeline(deps)
  const operations = createOperations(deps, () => document())
  const document = createDocument(operations, deps)
  for (const operation of operations) {
    const { path, operationId, probe } = operation
    const route = { path, operation: operationId, probe }
    const handle = pipeline(route, async (request, req) => {
      if (!probe) refuseOutdated(deps)
      return operation.run(deps, request, req)
    })
    app.on(operation.method.toUpperCase(), operation.path, handle)
  }
  const routes = [...createDocs(deps.settings.publicUrl), ...(pages?.routes ?? [])]
  for (const { method, path, name, answer, refuse } of routes) {
    const handle = pipeline(
      { path, operation: name },
      async (request, req) => {
        refuseOutdated(deps)
        return answer(request, req)
      },
      refuse,
    )
    app.on(method.toUpperCase(), path, handle)
  }
  const notFound = createNotFound([...operations, ...routes], deps.corsOrigins)
  app.notFound((c) => {
    const isPage = c.req.header('accept')?.includes('text/html') && !isOfApi(c.req.path)
    return pipeline(NOWHERE, notFound, isPage ? pages?.refuse : undefined)(c)
  })
  app.onError((error, c) =>
    pipeline(NOWHERE, async () => {
      throw error
    })(c),
  )
  return app
}

const isOfApi = (path: string): boolean => path.startsWith('/api/') || path.startsWith('/v1/')

/** Refuses a request if a newer version of the service has migrated the database. */
const refuseOutdated = ({ isOutdated }: AppDeps): void => {
  if (!isOutdated?.()) return
  throw new DomainError(
    'unavailable',
    'A newer version of the service takes over. Try again shortly.',
  )
}
