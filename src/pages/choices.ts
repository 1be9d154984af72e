import { isLanguage } from './languages.ts'

const YEAR_S = 365 * 86_400
const THEMES = ['auto', 'light', 'dark']

/** Returns the cookie that keeps a language or theme that a link of the footer chose. */
export const keepChoice = (query: URLSearchParams, isHttps: boolean): string | undefined => {
  const lang = query.get('lang') ?? undefined
  const theme = query.get('theme') ?? undefined
  const rest = `Path=/; Max-Age=${YEAR_S}; SameSite=Lax${isHttps ? '; Secure' : ''}; HttpOnly`
  if (isLanguage(lang)) return `lang=${lang}; ${rest}`
  if (theme !== undefined && THEMES.includes(theme)) return `theme=${theme}; ${rest}`
  return undefined
}
