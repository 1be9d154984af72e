import type { DonorRefund } from '../../domain/escrow/refund/index.ts'
import { Hash } from '../components/hash.tsx'
import { KeyValues } from '../components/key-values.tsx'
import { explorerLink } from '../shared/explorer-link.ts'
import { formatMoment } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { Tracked } from './load-donation.ts'
import { donationTexts } from './texts/index.ts'

type Props = { tracked: Tracked; lang: Language }

/** The refund of a donation: its state, who gets the money, and the transactions that paid it. */
export const RefundPart = ({ tracked, lang }: Props) => {
  const { donation, campaign, refund } = tracked
  const { refund: t } = donationTexts[lang]
  if (refund === null) return null
  return (
    <section class="page-section" data-refund={refund.state}>
      <h2>{t.title}</h2>
      <p>
        {refund.state === 'waits' ? t.waits(formatMoment(lang, refund.readyAt)) : t[refund.state]}
      </p>
      {'claim' in refund ? (
        <RefundFacts refund={refund} chain={tracked.chain} lang={lang} />
      ) : (
        <p class="section-links">
          <a href={`/c/${campaign.slug}/escrow#refunds`}>{t.all}</a>
        </p>
      )}
      {refund.state === 'ready' && (
        <p class="section-links without-desk">
          <a href={`/d/${donation.id}`}>{t.show}</a>
        </p>
      )}
    </section>
  )
}

type FactsProps = {
  refund: Pick<DonorRefund, 'claim' | 'transactions'>
  chain: { explorer: string | null } | undefined
  lang: Language
}

/** Who gets a refund, and the transactions that paid it. */
export const RefundFacts = ({ refund: { claim, transactions }, chain, lang }: FactsProps) => {
  const { refund: t, facts, copy } = donationTexts[lang]
  const hash = (kind: 'address' | 'tx', value: string) => (
    <Hash value={value} href={explorerLink(chain, kind, value)} texts={copy} />
  )
  return (
    <KeyValues
      items={[
        { key: t.to, value: hash('address', claim.donor) },
        transactions.length > 0 && {
          key: facts.transaction,
          value: transactions.map((one) => <div key={one}>{hash('tx', one)}</div>),
        },
      ]}
    />
  )
}
