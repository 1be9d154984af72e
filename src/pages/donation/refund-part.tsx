import type { Context } from '../../domain/context.ts'
import type { ReadyTransaction } from '../../domain/escrow/index.ts'
import { type DonationRefund, getDonationRefund } from '../../domain/escrow/refund/index.ts'
import { donationVersion } from '../../domain/live/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { walletChain } from '../donate/payable.ts'
import { ReadyTransactionPart } from '../escrow/ready-transaction-part.tsx'
import { createShortKeeper } from '../keep-short.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import type { Tracked } from './load-donation.ts'
import { donationTexts } from './texts/index.ts'

/** The refund of a donation: a transaction that can be sent now, or why there is none. */
export type Refund = { chain: WalletChain } & (
  | { state: 'ready'; transaction: ReadyTransaction }
  | { state: 'missing' | 'waits' | 'done' }
)

const STATE_OF = {
  refund_root_missing: 'missing',
  refund_window_open: 'waits',
  already_refunded: 'done',
} as const

/** A node tries each refund, so it is kept for a short time. */
const keep = createShortKeeper<DonationRefund>()

/** Finds the refund of a donation; null while the escrow gives nothing back, or without one. */
export const findRefund = async (
  ctx: Context,
  { donation, campaign }: Tracked,
): Promise<Refund | null> => {
  if (!campaign.escrow || !OVER.includes(campaign.status)) return null
  const chain = walletChain(ctx, campaign)
  const version = await donationVersion(ctx, donation.id)
  try {
    const { transaction } = await keep(`${donation.id} ${version}`, () =>
      getDonationRefund(ctx, donation.id),
    )
    return { chain, state: 'ready', transaction }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const state = (STATE_OF as Record<string, 'missing' | 'waits' | 'done'>)[error.code]
    return state === undefined ? null : { chain, state }
  }
}

/** The statuses of campaigns whose escrow may give money back. */
const OVER: readonly string[] = ['failed', 'cancelled', 'completed']

/** The refund that the donor, or any other account, can send. */
export const RefundPart = ({ refund, lang }: { refund: Refund; lang: Language }) => {
  const { refund: t } = donationTexts[lang]
  return (
    <section class="page-section">
      <h2>{t.title}</h2>
      {refund.state === 'ready' ? (
        <>
          <p>{t.lead}</p>
          <ReadyTransactionPart {...{ ...refund, lang }} />
        </>
      ) : (
        <p>{t[refund.state]}</p>
      )}
    </section>
  )
}
