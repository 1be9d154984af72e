import type { HonoRequest } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import type { Outcome } from './answer/outcome.ts'
import { createCors } from './cors.ts'
import { headersOf, STATUS_OF, toEnvelope } from './errors.ts'
import type { Operation } from './operation.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Answers requests that match no operation:
 * - OPTIONS on a known path gets the allowed methods, with CORS headers for an allowed origin.
 * - Another method on a known path gets 405.
 * - A request for an unknown path gets 404.
 */
export const createNotFound = (
  operations: readonly Pick<Operation, 'method' | 'path'>[],
  corsOrigins: readonly string[],
): ((request: RequestContext, req: HonoRequest) => Promise<Outcome>) => {
  const cors = createCors(corsOrigins)
  const routes = operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  }))

  return async (request, req) => {
    const methods = routes
      .filter(({ pattern }) => pattern.test(req.path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    if (methods.length === 0) {
      throw new DomainError('route_not_found', 'The address does not exist.')
    }
    const allow = [...methods, 'OPTIONS']
    const headers = { Allow: allow.join(', ') }
    if (req.method === 'OPTIONS') {
      // OPTIONS does not count for rate limits, because a page cannot see the error of a preflight.
      request.limits.writeHeaders()
      return { status: 204, text: null, headers: { ...headers, ...cors.preflight(req, allow) } }
    }
    const refusal = new DomainError(
      'method_not_allowed',
      `This address supports only ${methods.join(', ')}.`,
    )
    return {
      status: STATUS_OF[refusal.code],
      text: JSON.stringify(toEnvelope(refusal, request.requestId)),
      headers: { ...headersOf(refusal.code), ...headers },
    }
  }
}
