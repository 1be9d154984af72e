import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { ClaimLinkView } from '../claim/claim-link.ts'
import type { RecordedDonation } from '../donation/donation-view.ts'
import { recordAsGuest } from './record-as-guest.ts'
import { recordDonation } from './record-donation.ts'
import { recordIntent } from './record-intent.ts'
import type { Donate, Screened } from './screen-donation.ts'

/** A recorded donation. `claim` is the claim link of a guest; null for a user. */
type Donated = RecordedDonation & { claim: ClaimLinkView | null }

/**
 * Records a donation, or without a transaction an intent, of a user or a guest. A guest always
 * names a wallet, so that the wallet's holder can claim the donation.
 *
 * @throws DomainError `invalid_input` without a wallet that is needed; any error of
 *   `recordDonation`, `recordIntent` and `recordAsGuest`
 */
export const donate = async (ctx: Context, input: Screened<Donate>): Promise<Donated> => {
  const { transaction, donor } = input
  const isGuest = ctx.actor.kind === 'anonymous'
  if (transaction && !isGuest) {
    return { ...(await recordDonation(ctx, { ...input, transaction })), claim: null }
  }
  const walletAddress = donor?.walletAddress
  if (walletAddress === undefined) {
    const message = transaction
      ? 'is required without an account: name the wallet that has paid'
      : 'is required without a transaction: name the wallet that will pay'
    throw new DomainError('invalid_input', `donor.walletAddress ${message}`, [
      { path: 'donor.walletAddress', message },
    ])
  }
  const named = { ...input, donor: { ...donor, walletAddress } }
  if (isGuest) return { ...(await recordAsGuest(ctx, named)), created: true }
  return { donation: await recordIntent(ctx, named), created: true, claim: null }
}
