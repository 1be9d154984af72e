import { isLanguage } from './languages.ts'

const YEAR_S = 365 * 86_400
const THEMES = ['auto', 'light', 'dark']

/** Returns the cookie that keeps a language or theme that a link of the footer chose. */
export const keepChoice = (query: URLSearchParams, isHttps: boolean): string | undefined => {
  const lang = query.get('lang') ?? undefined
  const theme = query.get('theme') ?? undefined
  if (isLanguage(lang)) return choice('lang', lang, isHttps)
  if (theme !== undefined && THEMES.includes(theme)) return choice('theme', theme, isHttps)
  return undefined
}

/** Returns the cookie that keeps the language of a form. */
export const keepLanguage = (lang: string, isHttps: boolean): string =>
  choice('lang', lang, isHttps)

const choice = (name: string, value: string, isHttps: boolean): string =>
  `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${isHttps ? '; Secure' : ''}; HttpOnly`
