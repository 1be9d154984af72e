import type { CampaignView } from '../../domain/campaign/index.ts'
import { campaignTexts } from '../campaign/texts/index.ts'
import { Progress } from '../components/progress.tsx'
import { formatAmount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'

type Props = { campaign: CampaignView; lang: Language }

/**
 * A campaign as a small card in the page of another site. It opens in a page of its own, because a
 * payment inside of a foreign page could be covered by it.
 */
export const EmbedCard = ({ campaign, lang }: Props) => {
  const t = campaignTexts[lang]
  const { title, slug, status, currency, currentAmount, targetAmount } = campaign
  const money = (value: string) => `${formatAmount(lang, value)}\u00a0${currency}`
  const raised = t.progress({ raised: money(currentAmount), target: money(targetAmount) })
  const isOpen = status === 'active' || status === 'funded'
  return (
    <main class="card embed">
      <h1>
        <a href={`/c/${slug}`} target="_blank" rel="noopener">
          {title}
        </a>
      </h1>
      <Progress proven={currentAmount} target={targetAmount} label={raised} />
      <p class="note">{raised}</p>
      {isOpen ? (
        <a class="button button-primary" href={`/c/${slug}/donate`} target="_blank" rel="noopener">
          {t.donate}
        </a>
      ) : (
        <p>{t.status[status]}</p>
      )}
    </main>
  )
}
