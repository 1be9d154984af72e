import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { ErrorTexts } from './texts.ts'

export { ERROR_KINDS, type ErrorKind, type ErrorTexts } from './texts.ts'

export const errorTexts: Readonly<Record<Language, ErrorTexts>> = { en, de, es, fr, pt }
