import { renderToString } from 'preact-render-to-string'
import type { Context } from '../db/context.ts'
import { answerText } from '../edge/answer/kept-text.ts'
import type { Outcome } from '../edge/answer/outcome.ts'
import { headersOf, STATUS_OF } from '../edge/errors.ts'
import type { PageRequest, PageRoute, Refuse } from '../edge/page-route.ts'
import { actorOf } from '../edge/request/authenticate.ts'
import { isStorableText, MAX_ANONYMOUS_BODY_BYTES, readUpload } from '../edge/request/body.ts'
import { blockedByLink, refuseCountry } from '../edge/request/geo-block.ts'
import type { RequestContext } from '../edge/request-context.ts'
import { DomainError } from '../kernel/errors.ts'
import type { Assets } from './assets.ts'
import { type Frame, PageDocument } from './layout/document.tsx'
import { errorPage } from './layout/error-page.tsx'
import type { Page, PageAnswer, PageDeps, Shown, Visit } from './page.ts'
import { keepChoice, readCookie, themeIn } from './session/cookie.ts'
import { refuseForeignPost } from './session/refuse-foreign-post.ts'
import { createSessionCookie, findPageCaller, type PageCaller } from './session/session-cookie.ts'
import { acceptedLanguage, isLanguage, type Language } from './shared/languages.ts'

const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  // Icons of wallets are `data:` URLs (EIP-6963).
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'parts',
}

/** The Content-Security-Policy of a page (W3C CSP, level 3), with directives of its own. */
const policyOf = (own: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...POLICY, ...own })
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')

/** Runs pages: finds session and language, reads forms, and renders answers and refusals. */
export const createPageRunner = (deps: PageDeps, assets: Assets) => {
  const { settings, credentials, visitors } = deps
  const sessionCookie = createSessionCookie(settings.publicUrl)

  const answerOf = async (answer: PageAnswer, frame: Frame, req: PageRequest): Promise<Outcome> => {
    if ('outcome' in answer) return answer.outcome
    const { shown } = answer
    const html = `<!doctype html>${renderToString(<PageDocument shown={shown} frame={frame} />)}`
    const headers = headersFor(shown, frame, keepChoice(frame.query, settings.publicUrl))
    const { status = 200 } = shown
    if (status !== 200) return { status, text: html, headers: { ...headers, ...HTML } }
    const header = (name: string) => req.header(name)
    return { text: null, ...(await answerText(HTML['Content-Type'], html, headers, header)) }
  }

  const routeOf = (page: Page): PageRoute => ({
    method: page.method,
    path: page.path,
    name: page.name,
    refuse,
    async answer(request, req) {
      request.limits.countPage()
      const caller = await callerOf(request, req)
      if (page.method === 'post') {
        request.limits.countRequest(caller)
        refuseForeignPost(settings.publicUrl, (name) => req.header(name))
      }
      refuseCountry(settings, req)
      const frame = frameOf(req, caller)
      const params: Record<string, string> = req.param()
      refuseUnstorable([...frame.query, ...Object.entries(params)])
      const form = new URLSearchParams(page.method === 'post' ? await readForm(req) : '')
      const visit: Visit<Record<string, string>> = {
        ctx: contextOf(request, caller),
        caller,
        lang: frame.lang,
        params,
        query: frame.query,
        form,
        path: frame.path,
        address: request.address,
        header: (name) => req.header(name),
        cookie: (name) => readCookie(req.header('cookie'), name),
        limits: request.limits,
      }
      const run = (ctx: Context) => page.run({ ...visit, ctx })
      const reads = caller === null && page.method === 'get' ? visitors : undefined
      const answer = reads ? await reads.read(visit.ctx, run) : await run(visit.ctx)
      if (caller === null && page.method === 'post') await visitors?.settle()
      return answerOf(answer, frame, req)
    },
  })

  const refuse: Refuse = async (refusal, request, req) => {
    // A caller above the limit costs no query. If the database does not answer, there is no caller.
    const isAboveLimit = refusal.code === 'rate_limited'
    const caller = isAboveLimit ? null : await callerOf(request, req).catch(() => null)
    const frame = frameOf(req, caller)
    const status = STATUS_OF[refusal.code]
    const retryAfter = request.headers['Retry-After'] ?? headersOf(refusal.code)['Retry-After']
    const shown = errorPage({ refusal, status, retryAfter, requestId: request.requestId, frame })
    const headers = {
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      ...(status === 451 ? { Link: blockedByLink(settings) } : {}),
    }
    return answerOf({ shown: { ...shown, status, headers } }, frame, req)
  }

  const callerOf = (request: RequestContext, req: PageRequest) =>
    findPageCaller(contextOf(request, null), credentials, sessionCookie, req.header('cookie'))

  const contextOf = ({ requestId, span, log }: RequestContext, caller: PageCaller | null) =>
    deps.context({ actor: actorOf(caller), requestId, traceParent: span.traceParent, log })

  const frameOf = (req: PageRequest, caller: PageCaller | null): Frame => {
    const url = new URL(req.url)
    const theme = url.searchParams.get('theme') ?? readCookie(req.header('cookie'), 'theme')
    return {
      assets,
      caller,
      lang: languageOf(req, url.searchParams, caller),
      theme: themeIn(theme) ?? 'auto',
      // A path with two slashes at its start would be the address of another host.
      path: `${url.pathname.replace(/^\/+/, '/')}${url.search}`,
      query: url.searchParams,
      publicUrl: settings.publicUrl,
    }
  }

  return { routeOf, refuse }
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' }

/** The first known language of: the address, the cookie, the account, the browser. */
const languageOf = (
  req: PageRequest,
  query: URLSearchParams,
  caller: PageCaller | null,
): Language => {
  const wishes = [query.get('lang') ?? undefined, readCookie(req.header('cookie'), 'lang')]
  const chosen = [...wishes, caller?.lang].find(isLanguage)
  return chosen ?? acceptedLanguage(req.header('accept-language') ?? '')
}

const headersFor = (
  { cookie, headers, isHidden = false, policy, status = 200 }: Shown,
  { lang }: Frame,
  choice: string | undefined,
): Record<string, string> => {
  const set = cookie ?? choice
  return {
    'Cache-Control': 'private, no-cache',
    'Content-Language': lang,
    'Content-Security-Policy': policyOf(policy),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    Vary: 'Accept-Language, Cookie',
    'X-Robots-Tag': isHidden || status !== 200 ? 'noindex' : '',
    ...(set === undefined ? {} : { 'Set-Cookie': set }),
    ...headers,
  }
}

const FORM = { types: ['application/x-www-form-urlencoded'], maxBytes: MAX_ANONYMOUS_BODY_BYTES }

/**
 * Reads the fields of a posted form (URL Standard, section 5).
 *
 * @throws DomainError `unsupported_media_type` or `payload_too_large`; `invalid_input` as
 *   `refuseUnstorable` does
 */
const readForm = async (req: PageRequest): Promise<URLSearchParams> => {
  const bytes = await readUpload(req, FORM)
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  refuseUnstorable([...form])
  return form
}

/** @throws DomainError `invalid_input` if a value has characters that Postgres cannot store */
const refuseUnstorable = (values: readonly (readonly [string, string])[]): void => {
  for (const [name, value] of values) {
    if (isStorableText(value)) continue
    throw new DomainError('invalid_input', 'A field has characters that cannot be stored.', [
      { path: name, message: 'has characters that cannot be stored' },
    ])
  }
}
