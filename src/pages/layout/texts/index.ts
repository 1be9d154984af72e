import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { LayoutTexts } from './texts.ts'

export type { LayoutTexts } from './texts.ts'

export const layoutTexts: Readonly<Record<Language, LayoutTexts>> = { en, de, es, fr, pt }
