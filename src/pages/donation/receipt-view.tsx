import { isCreditedStatus } from '../../kernel/statuses.ts'
import { Qr } from '../components/qr.tsx'
import { Banner } from '../components/states.tsx'
import { KeyValues } from '../components/values.tsx'
import { formatMoment, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { chainFacts, ledgerFacts, moneyFacts } from './donation-facts.tsx'
import type { Tracked } from './load-donation.ts'

type Props = {
  tracked: Tracked
  lang: Language
  /** The full address of the donation's page. */
  address: string
}

/** A receipt on one page of paper. Before the credit it says that it is none. */
export const ReceiptView = ({ tracked, lang, address }: Props) => {
  const { donation } = tracked
  const { receipt: t } = donationTexts[lang]
  const isCredited = isCreditedStatus(donation.status)
  if (!isCredited && donation.status !== 'confirming') {
    return (
      <div class="receipt-page">
        <BackLink id={donation.id} text={t.back} />
        <h1>{t.none}</h1>
        <p class="lead">{t.noneText}</p>
      </div>
    )
  }
  return (
    <div class="receipt-page">
      <BackLink id={donation.id} text={t.back} />
      {!isCredited && (
        <Banner tone="warn" title={t.notYet}>
          {t.notYetText}
        </Banner>
      )}
      <Paper tracked={tracked} lang={lang} address={address} isCredited={isCredited} />
      {isCredited && (
        <p class="needs-script">
          <button type="button" class="button button-primary" data-print>
            {t.print}
          </button>
        </p>
      )}
    </div>
  )
}

const BackLink = ({ id, text }: { id: string; text: string }) => (
  <p class="back no-print">
    <a href={`/d/${id}`}>← {text}</a>
  </p>
)

const Paper = ({ tracked, lang, address, isCredited }: Props & { isCredited: boolean }) => {
  const { donation, campaign, now } = tracked
  const { receipt: t, facts } = donationTexts[lang]
  return (
    <article class={isCredited ? 'receipt' : 'receipt receipt-void'}>
      <header>
        <div>
          <p class="kicker">{t.of}</p>
          <h1>{formatMoney(lang, donation.creditedAmount ?? donation.amount)}</h1>
          <p class="lead">{campaign.title}</p>
        </div>
        <Qr text={address} label={address} />
      </header>
      {!isCredited && (
        <p class="receipt-mark" aria-hidden="true">
          {t.notYet}
        </p>
      )}
      <KeyValues
        items={[
          { key: facts.donor, value: donation.donor?.name ?? facts.anonymous },
          donation.completedAt && {
            key: t.creditedAt,
            value: formatMoment(lang, donation.completedAt),
          },
          ...moneyFacts(donation, lang),
          ...chainFacts(tracked, lang, true),
          ...ledgerFacts(tracked, lang, true),
        ]}
      />
      <footer>
        {isCredited && <p>{t.statement}</p>}
        <p>
          {t.scan} <span class="receipt-address">{address}</span>
        </p>
        <p class="note">{t.issued(formatMoment(lang, now))}</p>
      </footer>
    </article>
  )
}
