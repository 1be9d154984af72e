import { Button, ErrorSummary, Field, SlowNote } from '../components/form.tsx'
import type { Language } from '../shared/languages.ts'
import type { PayableAsset } from '../shared/payment.ts'
import { retypeAmount } from '../shared/typed.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { AmountField, type PaidCampaign, Summary } from './donate-view.tsx'
import type { RefusedPaid } from './record.ts'
import { errorFor, errorsOf } from './refusals.ts'

type PaidViewProps = {
  lang: Language
  campaign: PaidCampaign
  network: string
  assets: readonly PayableAsset[]
  typed: URLSearchParams
  refused: RefusedPaid | null
}

/** The page on which a donor names a transaction that has paid. */
export const PaidView = (props: PaidViewProps) => {
  const { lang, campaign, network, refused } = props
  const t = donateTexts[lang]
  return (
    <div class="columns">
      <header>
        <p class="back">
          <a href={`/c/${campaign.slug}`}>← {campaignTexts[lang].backToCampaign}</a>
        </p>
        <h1>{t.paid.title(campaign.title)}</h1>
        <p class="lead">{t.paid.lead}</p>
        {refused && <ErrorSummary title={t.errors} errors={errorsOf(t, refused)} />}
        {refused?.refusals.includes('claimed') && (
          <p class="section-links">
            {refused.claimedBy && <a href={`/d/${refused.claimedBy}`}>{t.paid.seeDonation}</a>}
            <a href="/sign-in?to=%2Faccount%2Fdeposits%2Fclaimed">{t.paid.claimLink}</a>
          </p>
        )}
      </header>
      <Summary campaign={campaign} lang={lang} network={network} />
      <PaidForm {...props} />
    </div>
  )
}

const PaidForm = ({ lang, campaign, assets, typed, refused }: PaidViewProps) => {
  const t = donateTexts[lang]
  const field = (name: string) => ({
    name,
    value: typed.get(name) ?? '',
    error: errorFor(t, refused, name),
    spellcheck: false,
    autocomplete: 'off',
  })
  const optional = (label: string) => `${label} ${t.optional}`
  return (
    <form class="form donate" method="post" action={`/c/${campaign.slug}/paid`} novalidate>
      <input type="hidden" name="lang" value={lang} />
      <Field
        {...field('transaction')}
        label={t.paid.transaction}
        hint={t.paid.transactionHint}
        required
      />
      <AmountField
        {...{ lang, assets }}
        {...field('amount')}
        value={retypeAmount(typed.get('amount') ?? '', typed.get('lang') ?? lang, lang)}
        currency={typed.get('currency') ?? ''}
        hint={t.paid.notInBlockHint}
        optional={t.optional}
      />
      <Field
        {...field('wallet')}
        {...optional}
        label={t.paid.wallet}
        hint={t.paid.notInBlockHint}
      />
      <Field {...field('name')} label={optional(t.name)} maxLength={80} autocomplete="name" />
      <Field {...field('message')} label={optional(t.message)} hint={t.wordsHint} maxLength={280} />
      <p class="note">{t.whose}</p>
      <Button>{t.paid.button}</Button>
      <SlowNote {...t.slow} href={`/c/${campaign.slug}/paid`} />
    </form>
  )
}
