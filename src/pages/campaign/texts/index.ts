import type { Language } from '../../shared/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import type { CampaignTexts } from './texts.ts'

export type { CampaignTexts } from './texts.ts'

export const campaignTexts: Readonly<Record<Language, CampaignTexts>> = { en, de, es, fr, pt }
