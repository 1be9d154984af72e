import type { MoneyView } from '../../domain/books/index.ts'
import type { CampaignView, EscrowFacts } from '../../domain/campaigns/index.ts'
import { LinkButton } from '../components/form.tsx'
import { Progress } from '../components/progress.tsx'
import { Time } from '../components/values.tsx'
import { lockedOf, takesPayments } from '../load/campaign.ts'
import { add, formatAmount, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'

/** The money of a campaign, as its pages show it. */
export type CampaignMoney = {
  campaign: CampaignView
  /** Money in blocks that are not final, for each currency. */
  waiting: readonly MoneyView[]
  /** Null without an escrow. */
  escrow: EscrowFacts | null
}

type Props = CampaignMoney & { now: Date; lang: Language }

/** Raised money, target, bar, figures and the buttons to donate. */
export const CampaignCard = ({ campaign, waiting, escrow, now, lang }: Props) => {
  const t = campaignTexts[lang]
  const { currency, currentAmount, targetAmount, slug } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const takesDonations = takesPayments(campaign, now)
  return (
    <>
      <p class="raised">
        <span class="figure">{formatAmount(lang, currentAmount)}</span> {currency}
        <span class="raised-of">{t.raisedOf(money(targetAmount))}</span>
      </p>
      <Progress
        proven={currentAmount}
        waiting={waiting.find((one) => one.currency === currency)?.value ?? '0'}
        target={targetAmount}
        label={t.progress({ raised: money(currentAmount), target: money(targetAmount) })}
      />
      {waiting.length > 0 && <p class="note">{t.waiting(listOf(lang, waiting))}</p>}
      <dl class="figures">
        <Figure label={t.donations}>{formatCount(lang, campaign.donations)}</Figure>
        {escrow && <Figure label={t.locked}>{money(lockedOf(campaign, escrow))}</Figure>}
        <Figure label={t.released}>{money(escrow?.released ?? releasedOf(campaign))}</Figure>
        {escrow?.reason && <Figure label={t.refunded}>{money(escrow.refunded)}</Figure>}
        {takesDonations && escrow ? (
          <Figure label={t.deadline}>
            <Time at={escrow.deadline} lang={lang} />
          </Figure>
        ) : (
          takesDonations &&
          campaign.endsAt && (
            <Figure label={t.ends}>
              <Time at={campaign.endsAt} lang={lang} day />
            </Figure>
          )
        )}
      </dl>
      {takesDonations && (
        <div class="card-buttons">
          <LinkButton href={`/c/${slug}/donate`}>{t.donate}</LinkButton>
          <LinkButton kind="plain" href={`/c/${slug}/paid`}>
            {donateTexts[lang].alreadyPaid}
          </LinkButton>
        </div>
      )}
    </>
  )
}

type FigureProps = { label: string; children: preact.ComponentChildren }

const Figure = ({ label, children }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const listOf = (lang: Language, money: readonly MoneyView[]): string =>
  new Intl.ListFormat(lang, { type: 'unit' }).format(money.map((one) => formatMoney(lang, one)))

/** The sum of the released milestones. */
const releasedOf = ({ milestones }: CampaignView): string =>
  milestones
    .filter(({ status }) => status === 'released')
    .reduce((sum, { amount }) => add(sum, amount), '0')
