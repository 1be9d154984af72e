import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type ErrorTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export type { ErrorKind } from './en.ts'

export const errorTexts: Readonly<Record<Language, ErrorTexts>> = { en, de, es, fr, pt }
