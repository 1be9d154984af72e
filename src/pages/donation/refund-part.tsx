import type { DonorRefund } from '../../domain/campaigns/index.ts'
import { Hash } from '../components/hash.tsx'
import { KeyValues } from '../components/key-values.tsx'
import { explorerLink } from '../shared/explorer-link.ts'
import { formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'

type Props = { tracked: Tracked; lang: Language }

/** The refund of a donation: its state, who gets the money, and the transactions that paid it. */
export const RefundPart = ({ tracked, lang }: Props) => {
  const { donation, refund } = tracked
  const { refund: t } = donationTexts[lang]
  if (refund === null) return null
  return (
    <section class="page-section" data-refund={refund.state}>
      <h2>{t.title}</h2>
      <RefundFacts
        {...{ refund, lang }}
        quorum={refund.escrow.terms.quorum}
        chain={tracked.chain}
      />
      {refund.state === 'ready' && (
        <p class="section-links without-desk">
          <a href={`/d/${donation.id}`}>{t.show}</a>
        </p>
      )}
    </section>
  )
}

type FactsProps = {
  refund: DonorRefund
  /** The number of verifiers that sign a return. */
  quorum: number
  chain: { explorer: string | null } | undefined
  lang: Language
}

/** The state of a refund, who gets it, and the transactions that paid it. */
export const RefundFacts = ({ refund, quorum, chain, lang }: FactsProps) => {
  const { state, receiver, transactions } = refund
  const { refund: t } = donationTexts[lang]
  const { transaction, copy } = campaignTexts[lang]
  const hash = (kind: 'address' | 'tx', value: string) => (
    <Hash value={value} href={explorerLink(chain, kind, value)} texts={copy} />
  )
  return (
    <>
      <p>{state === 'unsigned' ? t.unsigned(formatCount(lang, quorum)) : t[state]}</p>
      {receiver && (
        <KeyValues
          items={[
            { key: t.to, value: hash('address', receiver) },
            transactions.length > 0 && {
              key: transaction,
              value: transactions.map((one) => <div key={one}>{hash('tx', one)}</div>),
            },
          ]}
        />
      )}
    </>
  )
}
