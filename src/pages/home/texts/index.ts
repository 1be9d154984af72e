import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { HomeTexts } from './texts.ts'

export const homeTexts: Readonly<Record<Language, HomeTexts>> = { en, de, es, fr, pt }
