import type { AppDeps } from '../http/deps.ts'
import type { PageRequest } from '../http/page-route.ts'
import type { Caller } from '../http/request/authenticate.ts'

/** The signed-in visitor of a page, with the language of the account. */
export type SessionCaller = Caller & { readonly lang: string }

/** What the pages need. */
export type PageDeps = Pick<
  AppDeps,
  'context' | 'settings' | 'log' | 'credentials' | 'revokedSessions' | 'version'
> & {
  /** Finds the session of the request's cookie; null without a session that is valid. */
  findCaller(req: PageRequest): Promise<SessionCaller | null>
}
