import { endSession, type SessionView } from '../../domain/account/index.ts'
import type { ParamsOf } from '../../edge/route.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import {
  get,
  type Page,
  type PageAnswer,
  type PageDeps,
  post,
  seeOther,
  type Visit,
} from '../page.ts'
import type { Language } from '../shared/languages.ts'
import { pathWithReturn } from './own-path.ts'
import { createSessionCookie } from './session-cookie.ts'

/** Opens and ends the session of a browser. */
export type PageSessions = {
  /** The browser of a visit, for a new session. */
  clientOf(visit: Visit): { kind: 'page'; userAgent: string | undefined; lang: Language }
  /** Gives the browser its new session, and ends the session that it had. */
  enter(visit: Visit, session: SessionView, to: string): Promise<PageAnswer>
  /** Ends the session of the browser, and leads to the first page. */
  leave(visit: Visit): Promise<PageAnswer>
  /** Ends access tokens of these sessions in this process at once. */
  forget(sessionIds: readonly string[]): void
}

export const createPageSessions = ({ settings, revokedSessions }: PageDeps): PageSessions => {
  const cookie = createSessionCookie(settings.publicUrl)

  const end = async ({ ctx, caller }: Visit): Promise<void> => {
    const id = caller?.sessionId
    if (id === undefined || id === null) return
    await endSession(ctx, id)
    revokedSessions.add([id])
  }

  return {
    clientOf: ({ header, lang }) => ({ kind: 'page', userAgent: header('user-agent'), lang }),
    async enter(visit, { token, user }, to) {
      await end(visit)
      return seeOther(user.verified ? to : pathWithReturn('/verify', to), cookie.set(token))
    },
    async leave(visit) {
      await end(visit)
      return seeOther('/', cookie.clear())
    },
    forget: (ids) => revokedSessions.add(ids),
  }
}

/** Browsers keep no copy of these pages, because the next person may go back after a sign-out. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const

/** A visit of a signed-in person. */
export type UserVisit<Params = unknown> = Visit<Params> & {
  readonly caller: NonNullable<Visit['caller']>
}

/**
 * Lets only signed-in people use a page. Others sign in first, and then return to `to`; without
 * `to`, to the same address.
 */
const forUser =
  <Params>(handler: (visit: UserVisit<Params>) => Promise<PageAnswer>, to?: string) =>
  async (visit: Visit<Params>): Promise<PageAnswer> =>
    isUserVisit(visit) ? handler(visit) : seeOther(pathWithReturn('/sign-in', to ?? visit.path))

/** Like `forUser`, but the person must also have confirmed the mail address. */
const forVerified = <Params>(
  handler: (visit: UserVisit<Params>) => Promise<PageAnswer>,
  to: string,
) =>
  forUser<Params>(
    async (visit) =>
      visit.caller.verified ? handler(visit) : seeOther(pathWithReturn('/verify', to)),
    to,
  )

type ForUser<Path extends string> = (visit: UserVisit<ParamsOf<Path>>) => Promise<PageAnswer>

/** Defines a page of signed-in people. */
export const getAsUser = <const Path extends string>(
  path: Path,
  name: string,
  handler: ForUser<Path>,
): Page => get(path, name, forUser(handler))

type Form = <const Path extends string>(
  path: Path,
  name: string,
  to: string,
  handler: ForUser<Path>,
) => Page

/** Defines a form of signed-in people. Others sign in first, and then go to `to`. */
export const postAsUser: Form = (path, name, to, handler) => post(path, name, forUser(handler, to))

/** Like `postAsUser`, but the person must also have confirmed the mail address. */
export const postAsVerified: Form = (path, name, to, handler) =>
  post(path, name, forVerified(handler, to))

const isUserVisit = <Params>(visit: Visit<Params>): visit is UserVisit<Params> =>
  visit.caller !== null

/** Returns a field of a posted form. An absent field is empty. */
export const fieldOf = ({ form }: Visit, name: string): string => form.get(name) ?? ''

/**
 * Returns the id in the path of a page.
 *
 * @throws DomainError `not_found` if the text in the path is no id
 */
export const idOf = ({ params: { id } }: Visit<{ id: string }>): string => {
  if (isId(id)) return id
  throw new DomainError('not_found', 'There is no such page.')
}
