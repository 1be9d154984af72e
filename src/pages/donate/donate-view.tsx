import type { CampaignView } from '../../domain/campaigns/index.ts'
import { ErrorSummary, Field, LinkButton, SelectField } from '../components/form.tsx'
import type { DonateProps } from '../components/payment-panel.tsx'
import { Banner } from '../components/states.tsx'
import { Hash, KeyValues } from '../components/values.tsx'
import { isOpen } from '../load/campaign.ts'
import { DonatePanel } from '../parts/islands.tsx'
import { aloneOf } from '../parts/warning.ts'
import { formatAmount, formatDay, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { PayableAsset } from '../shared/payment.ts'
import { inputAmount } from '../shared/typed.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { errorFor, errorsOf, type Refused } from './refusals.ts'

/** The part of a campaign that its payment pages show. */
export type PaidCampaign = Pick<
  CampaignView,
  | 'id'
  | 'slug'
  | 'title'
  | 'status'
  | 'currency'
  | 'currentAmount'
  | 'targetAmount'
  | 'ledgerAccount'
  | 'chainId'
  | 'milestones'
> & {
  escrow?: Pick<
    NonNullable<CampaignView['escrow']>,
    'deadline' | 'activateBy' | 'deployed' | 'milestones' | 'surplus'
  >
}

/** The values of the form: what the visitor typed, or what a link has chosen. */
export type Typed = {
  amount: string
  currency: string
  name: string
  message: string
  wallet: string
}

export type DonateViewProps = {
  lang: Language
  campaign: PaidCampaign
  island: DonateProps
  /** Why nothing can be paid; null if a visitor can pay. */
  closed: string | null
  typed: Typed
  /** One unit of each asset in the campaign's currency, where a price is known. */
  rates: Readonly<Record<string, string | null>>
  refused: Refused | null
  /** Whether the visitor comes from a donation that was just cancelled. */
  isCancelled: boolean
}

/** The page on which a visitor gives to a campaign. */
export const DonateView = (props: DonateViewProps) => {
  const { lang, campaign, refused, isCancelled } = props
  const t = donateTexts[lang]
  return (
    <div class="columns">
      <header>
        <p class="back">
          <a href={`/c/${campaign.slug}`}>← {campaignTexts[lang].backToCampaign}</a>
        </p>
        <h1>{t.title(campaign.title)}</h1>
        {isCancelled && <Banner tone="quiet">{t.cancelled}</Banner>}
        {refused && <ErrorSummary title={t.errors} errors={errorsOf(t, refused)} />}
      </header>
      <Summary campaign={campaign} lang={lang} network={props.island.chain.name} />
      {props.closed === null ? <DonateForm {...props} /> : <Closed {...props} />}
    </div>
  )
}

const Closed = ({ lang, campaign, closed }: DonateViewProps) => {
  const t = donateTexts[lang]
  return (
    <div class="page-section">
      <Banner tone="warn" title={t.closed.title}>
        {closed}
      </Banner>
      <p class="section-links">
        <LinkButton kind="plain" href={`/c/${campaign.slug}/paid`}>
          {t.alreadyPaid}
        </LinkButton>
      </p>
    </div>
  )
}

const DonateForm = (props: DonateViewProps) => {
  const { lang, campaign, island, typed, refused } = props
  const t = donateTexts[lang]
  const wrong = (name: string) => errorFor(t, refused, name)
  return (
    <form class="form donate" method="post" action={island.action} novalidate>
      <input type="hidden" name="lang" value={lang} />
      <AmountFields {...props} error={wrong('amount') ?? wrong('currency')} />
      <fieldset class="form">
        <legend class="visually-hidden">{t.words}</legend>
        <Field
          name="name"
          label={`${t.name} ${t.optional}`}
          value={typed.name}
          error={wrong('name')}
          maxLength={80}
          autocomplete="name"
        />
        <Field
          name="message"
          label={`${t.message} ${t.optional}`}
          hint={t.wordsHint}
          value={typed.message}
          error={wrong('message')}
          maxLength={280}
          autocomplete="off"
        />
      </fieldset>
      {campaign.escrow ? (
        <p class="note">{t.escrow.before({ isFirst: !campaign.escrow.deployed })}</p>
      ) : (
        <p class="note">{t.exchange}</p>
      )}
      <DonatePanel {...island} address={{ value: typed.wallet, error: wrong('wallet') }} />
      <p>
        <a href={`/c/${campaign.slug}/paid`}>{t.alreadyPaid}</a>
      </p>
    </form>
  )
}

const AmountFields = ({
  lang,
  campaign,
  island,
  typed,
  rates,
  error,
}: DonateViewProps & { error: string | undefined }) => {
  const t = donateTexts[lang]
  const { assets } = island
  const [first] = assets
  const others = assets.filter(({ symbol }) => symbol !== campaign.currency)
  const known = others.flatMap(({ symbol }) => {
    const value = rates[symbol]
    if (!value) return []
    const one = formatMoney(lang, { value: '1', currency: symbol })
    return t.rate({ one, about: formatMoney(lang, { value, currency: campaign.currency }) })
  })
  const symbols = others.map(({ symbol }) => symbol).join(', ')
  const hint = symbols && [t.countsAs(symbols, campaign.currency), ...known].join(' ')
  const hasDollar = assets.some(({ symbol }) => symbol === DOLLAR)
  return (
    <fieldset class="form">
      <legend class="visually-hidden">{campaignTexts[lang].amount}</legend>
      <AmountField
        {...{ lang, assets, error }}
        value={typed.amount}
        currency={typed.currency}
        required
      />
      {first && (
        <ul class="suggestions" aria-label={t.suggestions}>
          {(first.token ? SUGGESTED : SUGGESTED_COINS).map((amount) => (
            <li key={amount}>
              <a
                class="chip chip-big"
                href={`?amount=${amount}&currency=${first.symbol}`}
                data-amount={inputAmount(lang, amount)}
                data-currency={first.symbol}
              >
                {formatMoney(lang, { value: amount, currency: first.symbol })}
              </a>
            </li>
          ))}
        </ul>
      )}
      {hasDollar && (
        <p class="note">{t.dollar(formatMoney(lang, { value: '1', currency: DOLLAR }))}</p>
      )}
      {hint && <p class="note">{hint}</p>}
    </fieldset>
  )
}

/** A token whose issuer pays one US dollar for it. */
const DOLLAR = 'USDC'

/** Suggested amounts of a token, and of a chain's own coin. */
const SUGGESTED = ['10', '25', '100']
const SUGGESTED_COINS = ['0.01', '0.05', '0.2']

type SummaryProps = { campaign: PaidCampaign; lang: Language; network: string }

/** Where the money goes, beside the form. */
export const Summary = ({ campaign, lang, network }: SummaryProps) => {
  const t = donateTexts[lang]
  const { ledgerAccount, escrow, currency } = campaign
  const { address, copied } = t.copy
  const account = <Hash value={ledgerAccount} texts={{ copy: address, copied }} />
  return (
    <aside class="side" aria-label={t.summary.title}>
      <div class="card">
        <p class="note">{t.summary.title}</p>
        <p class="summary-title">
          <strong>{campaign.title}</strong>
        </p>
        <p class="note">
          {t.summary.raised({
            raised: formatAmount(lang, campaign.currentAmount),
            target: formatMoney(lang, { value: campaign.targetAmount, currency }),
          })}
        </p>
        <KeyValues
          items={[
            { key: t.summary.network, value: network },
            isOpen(campaign) && !escrow && { key: t.summary.account, value: account },
          ]}
        />
        {escrow && <p class="note">{aloneOf(escrow, currency, lang)}</p>}
        <p class="note">
          {escrow
            ? `${t.summary.escrow({ deadline: formatDay(lang, escrow.activateBy) })} ${escrowTexts[lang].money.collect}`
            : t.summary.direct}
        </p>
      </div>
    </aside>
  )
}

type Props = {
  lang: Language
  assets: readonly PayableAsset[]
  value: string
  currency: string
  hint?: string
  error: string | undefined
  required?: boolean
  optional?: string
}

/** An amount and, if the campaign accepts several assets, the choice of its currency. */
export const AmountField = ({ lang, assets, currency, optional, ...field }: Props) => {
  const t = donateTexts[lang]
  const symbols = assets.map(({ symbol }) => symbol)
  const [first] = symbols
  const hasChoice = symbols.length > 1
  return (
    <div class="amount">
      <Field
        name="amount"
        label={[campaignTexts[lang].amount, optional].filter(Boolean).join(' ')}
        {...field}
        inputMode="decimal"
        autocomplete="off"
        {...(!hasChoice && first && { suffix: first })}
      />
      {hasChoice ? (
        <SelectField
          name="currency"
          label={t.currency}
          value={currency}
          options={symbols.map((symbol) => ({ value: symbol, label: symbol }))}
        />
      ) : (
        <input type="hidden" name="currency" value={first} />
      )}
    </div>
  )
}
