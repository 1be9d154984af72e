import type { Context } from '../../db/context.ts'
import { type Credentials, findPageSession, SESSION_TTL_MS } from '../../domain/account/index.ts'
import type { Caller } from '../../edge/request/authenticate.ts'
import { readCookie, setCookie } from './cookie.ts'

type SessionCookie = ReturnType<typeof createSessionCookie>

/** A token is 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/**
 * The cookie that holds the token of a page's session. No route of the API reads this cookie.
 *
 * With https, the name starts with `__Host-`. Then a browser accepts the cookie only with `Secure`,
 * from this host and for all paths, so that no other host can set it.
 */
export const createSessionCookie = (publicUrl: string) => {
  const name = publicUrl.startsWith('https:') ? '__Host-session' : 'session'
  return {
    /** Returns the token in a `Cookie` header, or undefined if it has no well-formed token. */
    read(header: string | undefined): string | undefined {
      const token = readCookie(header, name)
      return token !== undefined && TOKEN.test(token) ? token : undefined
    },
    /** Returns the `Set-Cookie` header that gives the browser a token. */
    set: (value: string) => setCookie(publicUrl, { name, value, maxAgeS: SESSION_TTL_MS / 1_000 }),
    /** Returns the `Set-Cookie` header that removes the token. */
    clear: () => setCookie(publicUrl, { name, value: '', maxAgeS: 0 }),
  }
}

/** The caller of a page, and the language of the caller's account. */
export type PageCaller = Caller & { readonly sessionId: string; readonly lang: string }

/** Returns the caller of a page by its cookie; null without an open session. */
export const findPageCaller = async (
  ctx: Context,
  credentials: Credentials,
  cookie: SessionCookie,
  header: string | undefined,
): Promise<PageCaller | null> => {
  const token = cookie.read(header)
  const session = token === undefined ? undefined : await findPageSession(ctx, credentials, token)
  return session ? { ...session, key: null } : null
}
