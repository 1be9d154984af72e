import type { CampaignView } from '../../domain/campaign/index.ts'
import { isOpen } from '../campaign/is-open.ts'
import { campaignTexts } from '../campaign/texts/index.ts'
import { Progress } from '../components/progress.tsx'
import { formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'

type Props = { campaign: CampaignView; lang: Language }

/**
 * A campaign as a small card in the page of another site. Its links open a page of their own,
 * because a foreign page could cover a payment inside it.
 */
export const EmbedCard = ({ campaign, lang }: Props) => {
  const t = campaignTexts[lang]
  const { title, slug, status, currency, currentAmount, targetAmount } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const raised = t.progress({ raised: money(currentAmount), target: money(targetAmount) })
  return (
    <main class="card embed">
      <h1>
        <a href={`/c/${slug}`} target="_blank" rel="noopener">
          {title}
        </a>
      </h1>
      <Progress proven={currentAmount} target={targetAmount} label={raised} />
      <p class="note">{raised}</p>
      {isOpen(campaign) ? (
        <a class="button button-primary" href={`/c/${slug}/donate`} target="_blank" rel="noopener">
          {t.donate}
        </a>
      ) : (
        <p>{t.status[status]}</p>
      )}
    </main>
  )
}
