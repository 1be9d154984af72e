import type { Assets } from '../assets.ts'
import type { PageCaller } from '../session/find-page-caller.ts'
import type { Language } from '../shared/languages.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Reads the name of a theme. Undefined for any other text. */
export const themeIn = (text: string | null | undefined): Theme | undefined =>
  THEMES.find((theme) => theme === text)

/** The data of a request that every page gets. */
export type Frame = {
  readonly assets: Assets
  readonly caller: PageCaller | null
  readonly lang: Language
  readonly theme: Theme
  /** The path with the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly publicUrl: string
}
