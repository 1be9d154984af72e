import type { ComponentChildren } from 'preact'
import type { Context } from '../db/context.ts'
import type { Outcome } from '../edge/answer/outcome.ts'
import type { AppDeps } from '../edge/deps.ts'
import type { Caller } from '../edge/request/authenticate.ts'
import type { RequestLimits } from '../edge/request/rate-limit.ts'
import type { ParamsOf } from '../edge/route.ts'
import type { Live } from './live/live.ts'
import type { Language } from './shared/languages.ts'

/** A request to a page. */
export type Visit<Params = unknown> = {
  /** The context of domain functions, with the signed-in user or an anonymous actor. */
  readonly ctx: Context
  readonly caller: Caller | null
  readonly lang: Language
  readonly params: Params
  /** The query. A page ignores parameters that it does not know. */
  readonly query: URLSearchParams
  /** The fields of a posted form; empty for GET. */
  readonly form: URLSearchParams
  /** The path with the query, for links back to this page. */
  readonly path: string
  /** The network of the visitor: an IPv4 address, or an IPv6 /64. */
  readonly address: string
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** A cookie of the request, by its name. */
  readonly cookie: (name: string) => string | undefined
  /** The limits of wrong passwords, guests' donations and new accounts, as the API has them. */
  readonly limits: Pick<RequestLimits, 'countAttempt' | 'countNew'>
}

/** A page to show. The layout adds header, footer and styles. */
export type Shown = {
  readonly title: string
  readonly body: ComponentChildren
  /** The default is 200. */
  readonly status?: number
  /** For search engines and previews, as plain text. */
  readonly description?: string
  /** The path of the page's main address, if the page has several. */
  readonly canonical?: string
  /** The names of more files in `client/entries` than `page`, without their endings. */
  readonly scripts?: readonly string[]
  /** Whether search engines leave the page out. */
  readonly isHidden?: boolean
  /** More elements for `<head>`. */
  readonly head?: ComponentChildren
  /** The value of a `Set-Cookie` header. */
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Directives that replace those of the usual Content-Security-Policy. */
  readonly policy?: Readonly<Record<string, string>>
  /** Shows only the body, without header and footer. */
  readonly bare?: boolean
}

export type PageAnswer = { readonly shown: Shown } | { readonly outcome: Outcome }

/** Answers with an HTML page. */
export const show = (shown: Shown): PageAnswer => ({ shown })

/** Sends the browser to another page, after a form was posted (RFC 9110, section 15.4.4). */
export const seeOther = (to: string, cookie?: string): PageAnswer => ({
  outcome: {
    status: 303,
    text: null,
    headers: { Location: to, ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }) },
  },
})

/** Answers with something that is not an HTML page, such as a file or a stream. */
export const send = (outcome: Outcome): PageAnswer => ({ outcome })

export type Page = {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly name: string
  readonly run: (visit: Visit<Record<string, string>>) => Promise<PageAnswer>
}

type Handler<Path extends string> = (visit: Visit<ParamsOf<Path>>) => Promise<PageAnswer>

const at =
  (method: Page['method']) =>
  /** Defines a page. `name` is its name in logs, metrics and traces. */
  <const Path extends string>(path: Path, name: string, handler: Handler<Path>): Page => ({
    method,
    path,
    name,
    // The cast is safe, because the router fills the parameters of this path.
    run: (visit) => handler(visit as unknown as Visit<ParamsOf<Path>>),
  })

export const get = at('get')
export const post = at('post')

/** What the pages need. */
export type PageDeps = Pick<
  AppDeps,
  'context' | 'visitors' | 'settings' | 'credentials' | 'revokedSessions'
> & {
  readonly live: Live
}
