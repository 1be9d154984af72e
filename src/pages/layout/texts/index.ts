import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

/** The texts around every page. */
export type LayoutTexts = {
  name: string
  description: string
  skip: string
  menu: string
  campaigns: string
  check: string
  account: string
  signIn: string
  more: string
  promise: string
  status: string
  api: string
  language: string
  theme: string
  themes: { auto: string; light: string; dark: string }
}

export const layoutTexts: Readonly<Record<Language, LayoutTexts>> = { en, de, es, fr, pt }
