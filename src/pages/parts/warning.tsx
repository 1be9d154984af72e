import type { CampaignEscrowView } from '../../domain/campaigns/index.ts'
import { Audit } from '../components/states.tsx'
import { add, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { escrowTexts } from '../texts/escrow/index.ts'

/** The warning directly above a button that leads to giving: who holds the money, at what risk. */
export const warningOf = (escrow: object | null | undefined, lang: Language): string =>
  escrow ? escrowTexts[lang].audit : escrowTexts[lang].straight

export const Warning = ({
  escrow,
  lang,
}: {
  escrow: object | null | undefined
  lang: Language
}) => <Audit text={warningOf(escrow, lang)} />

type Terms = Pick<CampaignEscrowView, 'milestones' | 'surplus'>

/** How much one verifier alone can release; null if each milestone needs more verifiers. */
export const aloneOf = (
  { milestones, surplus }: Terms,
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
