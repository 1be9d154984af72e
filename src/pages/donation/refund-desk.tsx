import type { ReadyRefund } from '../load/ready-refund.ts'
import { ReadyTransactionPart } from '../parts/ready-transaction-part.tsx'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'

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
