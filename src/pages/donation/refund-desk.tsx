import type { Context } from '../../db/context.ts'
import { type ReadyTransaction, readyTransaction } from '../../domain/campaigns/index.ts'
import { createShortKeeper } from '../../kernel/keep-short.ts'
import { walletChain } from '../donate/payable.ts'
import { ReadyTransactionPart } from '../escrow/ready-transaction-part.tsx'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'

/** The transaction that pays a refund. */
export type ReadyRefund = { chain: WalletChain; transaction: ReadyTransaction }

/** A node tries each refund, so the result is kept for a short time. */
const keep = createShortKeeper<ReadyTransaction>()

/** Makes the transaction of a refund that can be sent now; null if there is none. */
export const readyRefundOf = async (
  ctx: Context,
  { campaign, refund }: Pick<Tracked, 'campaign' | 'refund'>,
): Promise<ReadyRefund | null> => {
  if (refund?.state !== 'ready' || refund.call === null) return null
  const { escrow, call } = refund
  const transaction = await keep(`${escrow.account} ${call.data}`, () =>
    readyTransaction(ctx, escrow, [call]),
  )
  return { chain: walletChain(ctx, campaign), transaction }
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
