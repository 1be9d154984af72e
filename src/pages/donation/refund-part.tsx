import type { ReadyRefund } from '../load/ready-refund.ts'
import { ReadyTransactionPart, RefundFacts } from '../parts/escrow-parts.tsx'
import type { Language } from '../shared/languages.ts'
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

/**
 * Lets the donor, or any other visitor, send a refund. The server does not replace this part while
 * the page is open, because it keeps the state of the wallet. The styles hide it as soon as a block
 * has the refund.
 */
export const RefundDesk = ({ ready, lang }: { ready: ReadyRefund; lang: Language }) => (
  <div class="when-refundable">
    <ReadyTransactionPart {...ready} lang={lang} sent={donationTexts[lang].refund.posted} />
  </div>
)
