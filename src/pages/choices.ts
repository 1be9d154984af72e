import { isLanguage } from './languages.ts'

const YEAR_S = 365 * 86_400
const THEMES = ['auto', 'light', 'dark']

/** Returns the value of a cookie (RFC 6265, section 4.2.1). */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

/** Returns the cookie that keeps a language or theme that a link of the footer chose. */
export const keepChoice = (query: URLSearchParams, isHttps: boolean): string | undefined => {
  const lang = query.get('lang') ?? undefined
  const theme = query.get('theme') ?? undefined
  const rest = `Path=/; Max-Age=${YEAR_S}; SameSite=Lax${isHttps ? '; Secure' : ''}; HttpOnly`
  if (isLanguage(lang)) return `lang=${lang}; ${rest}`
  if (theme !== undefined && THEMES.includes(theme)) return `theme=${theme}; ${rest}`
  return undefined
}
