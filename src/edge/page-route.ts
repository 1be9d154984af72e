import type { HonoRequest } from 'hono'
import type { DomainError } from '../kernel/errors.ts'
import type { Outcome } from './answer/outcome.ts'
import type { RequestContext } from './request-context.ts'

/** A request as the routes of pages get it. */
export type PageRequest = HonoRequest

/** Makes the answer to a request that was refused. */
export type Refuse = (
  refusal: DomainError,
  request: RequestContext,
  req: PageRequest,
) => Outcome | Promise<Outcome>

/** A route for people, which is not in the OpenAPI document. */
export type PageRoute = {
  readonly method: 'get' | 'post'
  readonly path: string
  /** The name of the page in logs, metrics and traces. */
  readonly name: string
  readonly answer: (request: RequestContext, req: PageRequest) => Promise<Outcome>
  /** Without this function, refusals are JSON. */
  readonly refuse?: Refuse
}

/** The pages of the service. `refuse` also answers requests of browsers for unknown paths. */
export type Pages = { readonly routes: readonly PageRoute[]; readonly refuse: Refuse }
