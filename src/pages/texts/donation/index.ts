import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type DonationTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export const donationTexts: Readonly<Record<Language, DonationTexts>> = { en, de, es, fr, pt }
