import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en, type HomeTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const homeTexts: Readonly<Record<Language, HomeTexts>> = { en, de, es, fr, pt }
