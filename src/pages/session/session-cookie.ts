import { SESSION_TTL_MS } from '../../domain/account/index.ts'
import { readCookie, setCookie } from './cookie.ts'

export type SessionCookie = ReturnType<typeof createSessionCookie>

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
