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

import { isLanguage } from '../shared/languages.ts'

const YEAR_S = 365 * 86_400

/** Returns the cookie that keeps a language or theme that a link of the footer chose. */
export const keepChoice = (query: URLSearchParams, publicUrl: string): string | undefined => {
  const lang = query.get('lang') ?? undefined
  if (isLanguage(lang)) return keepLanguage(lang, publicUrl)
  const value = themeIn(query.get('theme'))
  return value && setCookie(publicUrl, { name: 'theme', value, maxAgeS: YEAR_S })
}

/** Returns the cookie that keeps a language. */
export const keepLanguage = (value: string, publicUrl: string): string =>
  setCookie(publicUrl, { name: 'lang', value, maxAgeS: YEAR_S })

export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** Reads the name of a theme. Undefined for any other text. */
export const themeIn = (text: string | null | undefined): Theme | undefined =>
  THEMES.find((theme) => theme === text)
