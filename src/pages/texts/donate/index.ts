import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type DonateTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const donateTexts: Readonly<Record<Language, DonateTexts>> = { en, de, es, fr, pt }
