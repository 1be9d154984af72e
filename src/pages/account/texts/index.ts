import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { AccountTexts } from './texts.ts'

export { type AccountTexts, FIELDS, type FieldName, REFUSALS, type Refusal } from './texts.ts'

/** The texts of this area, by language. */
export const accountTexts: Readonly<Record<Language, AccountTexts>> = { en, de, es, fr, pt }
