import { isLanguage } from './languages.ts'
import { themeIn } from './layout/frame.ts'
import { setCookie } from './session/cookie.ts'

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
