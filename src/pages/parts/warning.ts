import type { CampaignEscrowView } from '../../domain/campaigns/index.ts'
import { add, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { escrowTexts } from '../texts/escrow/index.ts'

/** The warning directly above a button that leads to giving: who holds the money, at what risk. */
export const warningOf = (escrow: object | null | undefined, lang: Language): string =>
  escrow ? escrowTexts[lang].audit : escrowTexts[lang].straight

/** How much one verifier alone can release; null if each milestone needs more verifiers. */
export const aloneOf = (
  { milestones, surplus }: Pick<CampaignEscrowView, 'milestones' | 'surplus'>,
  currency: string,
  lang: Language,
): string | null => {
  const t = escrowTexts[lang]
  const alone = milestones.filter(({ required }) => required === 1)
  if (alone.length === 0) return null
  const value = alone.reduce((sum, { amount }) => add(sum, amount), '0')
  const sentence = t.oneVerifier(formatMoney(lang, { value, currency }))
  const isAll = alone.length === milestones.length && surplus === 'recipient'
  return isAll ? `${sentence} ${t.alsoLeft}` : sentence
}
