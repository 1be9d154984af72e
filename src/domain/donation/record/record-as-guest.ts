import { withTransaction } from '../../../db/transaction.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import { type ClaimLinkView, makeClaimLink } from '../claim/claim-link.ts'
import type { DonationView } from '../donation-view.ts'
import type { RecordDonation, RecordIntent } from '../schemas.ts'
import { recordDonation } from './record-donation.ts'
import { recordIntent } from './record-intent.ts'

/** At most this many pending donations of guests may name the same wallet. */
const MAX_OPEN_OF_WALLET = 20

/** A guest always names a wallet, so that the wallet's holder can claim the donation. */
type RecordAsGuest = RecordIntent & {
  transaction?: RecordDonation['transaction'] | undefined
}

/**
 * Records a donation or an intent of a person without an account. Creates a claim link, with which
 * a user can take over the donation. The link works once.
 *
 * @throws DomainError `not_found` for an unknown campaign; `campaign_not_active` if the campaign
 *   takes no donations now; `unknown_currency`, `invalid_amount` or `invalid_input` for a wrong
 *   field; `transfer_already_claimed` if another donation has the transfer; `too_many_pending` if
 *   the wallet has MAX_OPEN_OF_WALLET pending donations of guests
 */
export const recordAsGuest = (
  ctx: Context,
  input: RecordAsGuest,
): Promise<{ donation: DonationView; claim: ClaimLinkView }> =>
  withTransaction(ctx, async (ctx) => {
    const wallet = inField('donor.walletAddress', () => parseAddress(input.donor.walletAddress))
    await limitGuests(ctx, wallet)
    const { transaction } = input
    const donation = transaction
      ? (await recordDonation(ctx, { ...input, transaction })).donation
      : await recordIntent(ctx, input)
    return { donation, claim: await makeClaimLink(ctx, donation.id) }
  })

/** Limits the pending donations of guests per wallet. The lock makes concurrent requests wait. */
const limitGuests = async ({ sql }: Context, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`guests of ${wallet}`}, 0))`
  const open = await sql`
    select from donation
    where user_id is null and donor_wallet = ${wallet} and status = 'pending'
    limit ${MAX_OPEN_OF_WALLET}`
  if (open.length < MAX_OPEN_OF_WALLET) return
  throw new DomainError(
    'too_many_pending',
    `${MAX_OPEN_OF_WALLET} donations of guests wait for this wallet: sign in with this wallet.`,
  )
}
