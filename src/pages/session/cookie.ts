/**
 * Returns the `Set-Cookie` header of a cookie that no script can read. With https, the browser
 * sends it only with https.
 */
export const setCookie = (
  publicUrl: string,
  { name, value, path = '/', maxAgeS }: Cookie,
): string => {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${secure}; Max-Age=${maxAgeS}`
}

type Cookie = { name: string; value: string; path?: string; maxAgeS: number }

/** Returns the value of a cookie. If a header has the name twice, returns the first value. */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
