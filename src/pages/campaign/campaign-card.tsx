import type { ComponentChildren } from 'preact'
import type { MoneyView } from '../../domain/books/index.ts'
import { LinkButton } from '../components/form.tsx'
import { Progress } from '../components/progress.tsx'
import { Audit, Icon } from '../components/states.tsx'
import { Time } from '../components/values.tsx'
import { takesPayments } from '../load/campaign.ts'
import { AsOf, barLabel, MoneyBar, moneyOf } from '../parts/escrow-money.tsx'
import { aloneOf, warningOf } from '../parts/warning.ts'
import { formatAmount, formatCount, formatDay, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import type { LiveProps } from './live-campaign.ts'

/** Raised money, target, bar, figures and the buttons to donate. */
export const CampaignCard = ({ campaign, waiting, escrow, booked, now, lang }: LiveProps) => {
  const t = campaignTexts[lang]
  const { currency, currentAmount, targetAmount, slug } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const takesDonations = takesPayments(campaign, now)
  const { parts } = escrow ? moneyOf(escrow, campaign.donations) : { parts: null }
  return (
    <>
      <Raised campaign={campaign} escrow={escrow} lang={lang} />
      {parts && escrow?.state !== 'funding' ? (
        <MoneyBar parts={parts} label={barLabel(parts, currency, lang)} thin />
      ) : (
        <Progress
          proven={currentAmount}
          waiting={waiting.find((one) => one.currency === currency)?.value ?? '0'}
          target={targetAmount}
          label={t.progress({ raised: money(currentAmount), target: money(targetAmount) })}
        />
      )}
      {waiting.length > 0 && <p class="note">{t.waiting(listOf(lang, waiting))}</p>}
      <dl class="figures">
        {!parts && <Figure label={t.direct}>{money(currentAmount)}</Figure>}
        <Figure label={t.donations}>{formatCount(lang, campaign.donations)}</Figure>
        {takesDonations && (escrow || campaign.endsAt) && (
          <Figure label={escrow ? t.deadline : t.ends}>
            <Time
              at={escrow?.deadline ?? campaign.endsAt ?? now}
              lang={lang}
              day={escrow === null}
            />
          </Figure>
        )}
      </dl>
      {takesDonations && escrow && <p class="note">{aloneOf(escrow, currency, lang)}</p>}
      <div class="card-buttons">
        {takesDonations && (
          <div class="give-here">
            <Audit text={warningOf(escrow, lang)} />
            <LinkButton href={`/c/${slug}/donate`}>{t.donate}</LinkButton>
          </div>
        )}
        {takesDonations && (
          <LinkButton kind="plain" href={`/c/${slug}/paid`}>
            {donateTexts[lang].alreadyPaid}
          </LinkButton>
        )}
        <button
          type="button"
          class="button button-plain needs-script"
          data-share={campaign.title}
          data-copied={t.copy.copied}
        >
          <Icon name="share" /> <span>{t.share}</span>
        </button>
      </div>
      <AsOf booked={booked} slug={slug} now={now} lang={lang} />
    </>
  )
}

/** The raised money and its target; for an escrow that gives money back, what is paid back. */
const Raised = ({ campaign, escrow, lang }: Pick<LiveProps, 'campaign' | 'escrow' | 'lang'>) => {
  const t = campaignTexts[lang]
  const { currency, currentAmount, targetAmount, fundedAt, status } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const target = money(targetAmount)
  const isBack = escrow?.state === 'failed' && status !== 'completed'
  return (
    <p class="raised">
      <span class="figure">{formatAmount(lang, isBack ? escrow.refunded : currentAmount)}</span>{' '}
      {currency}
      <span class="raised-of">
        {isBack
          ? t.paidBackOf(money(moneyOf(escrow, campaign.donations).received))
          : fundedAt
            ? t.targetReached({ target, day: formatDay(lang, fundedAt) })
            : t.raisedOf(target)}
      </span>
    </p>
  )
}

type FigureProps = { label: ComponentChildren; children: ComponentChildren }

const Figure = ({ label, children }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const listOf = (lang: Language, money: readonly MoneyView[]): string =>
  new Intl.ListFormat(lang, { type: 'unit' }).format(money.map((one) => formatMoney(lang, one)))

/** The button to donate at the foot of the window on phones. Empty once donations are closed. */
export const GiveBar = ({ campaign, now, lang }: Pick<LiveProps, 'campaign' | 'now' | 'lang'>) => {
  const t = campaignTexts[lang]
  const { currency, currentAmount, targetAmount, slug, escrow } = campaign
  if (!takesPayments(campaign, now)) return null
  const money = (value: string) => formatMoney(lang, { value, currency })
  const raised = t.progress({ raised: money(currentAmount), target: money(targetAmount) })
  return (
    <>
      <Audit text={warningOf(escrow, lang)} />
      <div>
        <p>{raised}</p>
        <Progress proven={currentAmount} target={targetAmount} label={raised} />
      </div>
      <LinkButton href={`/c/${slug}/donate`}>{t.donate}</LinkButton>
    </>
  )
}
