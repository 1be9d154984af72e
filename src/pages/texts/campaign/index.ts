import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { type CampaignTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

export type { CampaignTexts } from './en.ts'

export const campaignTexts: Readonly<Record<Language, CampaignTexts>> = { en, de, es, fr, pt }
