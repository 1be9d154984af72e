import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type AccountTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export type { AccountTexts, FieldName } from './en.ts'

/** The texts of this area, by language. */
export const accountTexts: Readonly<Record<Language, AccountTexts>> = { en, de, es, fr, pt }
