import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type EscrowTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const escrowTexts: Readonly<Record<Language, EscrowTexts>> = { en, de, es, fr, pt }
