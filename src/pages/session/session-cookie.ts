import { SESSION_TTL_MS } from '../../domain/user/index.ts'
import { readCookie, setCookie } from './cookie.ts'

/** The cookie that holds the token of a page's session. No route of the API reads this cookie. */
export type SessionCookie = {
  /** Returns the token in a `Cookie` header, or undefined if it has no well-formed token. */
  read(header: string | undefined): string | undefined
  /** Returns the `Set-Cookie` header that gives the browser a token. */
  set(token: string): string
  /** Returns the `Set-Cookie` header that removes the token. */
  clear(): string
}

/** A token is 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/**
 * With https, the name starts with `__Host-`. Then a browser accepts the cookie only with `Secure`,
 * from this host and for all paths, so that no other host can set it.
 */
export const createSessionCookie = (publicUrl: string): SessionCookie => {
  const name = publicUrl.startsWith('https:') ? '__Host-session' : 'session'
  return {
    read(header) {
      const token = readCookie(header, name)
      return token !== undefined && TOKEN.test(token) ? token : undefined
    },
    set: (value) => setCookie(publicUrl, { name, value, maxAgeS: SESSION_TTL_MS / 1_000 }),
    clear: () => setCookie(publicUrl, { name, value: '', maxAgeS: 0 }),
  }
}
