import type { CampaignView } from '../../domain/campaigns/index.ts'
import { type DonationView, hasRival, type PaymentView } from '../../domain/donations/index.ts'
import { isOpen } from '../campaign/is-open.ts'
import type { Visit } from '../page.ts'
import { islandOf } from './donate-page.tsx'
import { keptDonation } from './donation-cookie.ts'
import { offeredMethods, walletChain } from './payable.ts'
import type { PaymentInstructionsProps } from './payment-instructions.tsx'
import { toIntent } from './record-intent.ts'

/**
 * The data of `PaymentInstructions` for a visitor of a donation's page; null for a donation that
 * waits for no payment, or whose campaign takes none. The page needs the script `donate`.
 */
export const instructionsOf = async (
  visit: Pick<Visit, 'ctx' | 'lang' | 'cookie' | 'caller'>,
  donation: DonationView,
  campaign: CampaignView,
): Promise<PaymentInstructionsProps | null> => {
  const { ctx, lang, caller } = visit
  const { payment, id, userId, confirmation } = donation
  const waits = confirmation?.reason === 'waiting_for_payment' || donation.status === 'expired'
  if (!payment || payment.received !== null || !waits || !isOpen(campaign)) return null
  // A donor who has named the transaction has paid.
  if (payment.txHash !== null || offeredMethods(payment)?.length === 0) return null
  const kept = keptDonation(visit)
  const wallet = kept?.wallet ?? payerOf(payment)
  const intent = wallet !== undefined && toIntent(donation, wallet)
  return {
    lang,
    donationId: id,
    payment,
    network: walletChain(ctx, campaign).name,
    wallet: kept?.wallet,
    isContested: await hasRival(ctx, id),
    island: intent ? islandOf({ ctx, lang, campaign }, intent) : null,
    mayChange: kept?.claimToken !== undefined || (caller !== null && caller.userId === userId),
  }
}

/**
 * The wallet that pays to an escrow, which the calls for it name. By it, the page also works in the
 * browser of a wallet app, which has no cookie of the donor.
 */
const payerOf = ({ methods }: PaymentView): string | undefined =>
  methods?.find((one) => one.method === 'calls')?.sendCalls.from
