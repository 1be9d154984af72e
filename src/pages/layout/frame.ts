import type { Assets } from '../assets.ts'
import type { PageCaller } from '../session/find-page-caller.ts'
import type { Language } from '../shared/languages.ts'

/** The data of a request that every page gets. */
export type Frame = {
  readonly assets: Assets
  readonly caller: PageCaller | null
  readonly lang: Language
  readonly theme: 'auto' | 'light' | 'dark'
  /** The path with the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly publicUrl: string
  readonly version: string
}
