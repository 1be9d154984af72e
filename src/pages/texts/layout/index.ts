import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en, type LayoutTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export type { LayoutTexts } from './en.ts'

export const layoutTexts: Readonly<Record<Language, LayoutTexts>> = { en, de, es, fr, pt }
