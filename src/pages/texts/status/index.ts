import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en, type StatusTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const statusTexts: Readonly<Record<Language, StatusTexts>> = { en, de, es, fr, pt }
