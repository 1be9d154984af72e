import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type CheckPageTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const checkTexts: Readonly<Record<Language, CheckPageTexts>> = { en, de, es, fr, pt }
