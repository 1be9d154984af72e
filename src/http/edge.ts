import type { Context as HonoContext, HonoRequest } from 'hono'
import { type DomainError, messageOf } from '../kernel/errors.ts'
import { createCors } from './cors.ts'
import type { AppDeps } from './deps.ts'
import { headersOf, STATUS_OF, toEnvelope, toRefusal } from './errors.ts'
import { blockedByLink } from './legal.ts'
import type { Outcome } from './operation.ts'
import { createScopes, type Scope } from './scope.ts'

export type Work = (scope: Scope, req: HonoRequest) => Promise<Outcome>

/** Makes a Hono handler of some work; `route` is its name in the log. */
export type Edge = (route: string, work: Work) => (c: HonoContext) => Promise<Response>

/**
 * What surrounds every request: its id, its headers, its one log line, and the envelope of
 * whatever goes wrong in it.
 */
export const createEdge = (deps: AppDeps): Edge => {
  const openScope = createScopes({
    log: deps.log,
    https: deps.settings.publicUrl.startsWith('https:'),
    rateLimits: deps.rateLimits,
  })
  const cors = createCors(deps.corsOrigins)
  const blockedBy = { Link: blockedByLink(deps.settings) }

  return (route, work) => async (c) => {
    const scope = openScope(c)
    cors.apply(c.req, scope.headers)
    let outcome: Outcome
    let code: string | undefined
    try {
      outcome = await counted(work, scope, c.req)
    } catch (thrown) {
      const refusal = toRefusal(deps.translateError(thrown))
      code = refusal.code
      if (STATUS_OF[refusal.code] >= 500) logFailure(scope, refusal, thrown)
      outcome = {
        status: STATUS_OF[refusal.code],
        text: JSON.stringify(toEnvelope(refusal, scope.requestId)),
        headers: refusal.code === 'blocked_for_legal_reasons' ? blockedBy : headersOf(refusal.code),
      }
    }
    logRequest(scope, c.req.method, route, outcome.status, code)
    return respond(scope, outcome)
  }
}

/** Whatever is refused before anybody knew the caller counts for the address. */
const counted = async (work: Work, scope: Scope, req: HonoRequest): Promise<Outcome> => {
  try {
    return await work(scope, req)
  } finally {
    await scope.limits.rest()
  }
}

const respond = ({ headers }: Scope, outcome: Outcome): Response => {
  if (outcome.text !== null) headers['Content-Type'] = 'application/json'
  if (outcome.headers) Object.assign(headers, outcome.headers)
  return new Response(outcome.text, { status: outcome.status, headers })
}

const logRequest = (
  { log, startedAtMs }: Scope,
  method: string,
  route: string,
  status: number,
  code: string | undefined,
): void => {
  if (!log.isLevelEnabled('info')) return
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  log.info({ method, route, status, durationMs, ...(code ? { code } : {}) }, 'request')
}

const logFailure = ({ log }: Scope, refusal: DomainError, thrown: unknown): void => {
  if (refusal.code === 'internal') log.error({ err: thrown }, 'a request failed')
  else log.warn({ reason: messageOf(thrown) }, 'a request could not be served')
}
