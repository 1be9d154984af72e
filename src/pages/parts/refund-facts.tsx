import type { DonorRefund } from '../../domain/campaigns/index.ts'
import { Hash } from '../components/hash.tsx'
import { KeyValues } from '../components/key-values.tsx'
import { explorerLink } from '../shared/explorer-link.ts'
import { formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'

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
