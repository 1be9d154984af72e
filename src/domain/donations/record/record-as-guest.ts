import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { type ClaimLinkView, makeClaimLink } from '../claim/claim-link.ts'
import type { DonationView } from '../donation/donation-view.ts'
import type { RecordDonation, RecordIntent } from '../donation/schemas.ts'
import { recordDonation } from './record-donation.ts'
import { lockWallet, recordIntent } from './record-intent.ts'
import type { Screened } from './screen-donation.ts'

/**
 * At most this many pending donations of guests from one hour may name the same wallet. The hourly
 * limit of one network is lower, so one network cannot lock out the holder of a wallet.
 */
const MAX_OPEN_OF_WALLET = 100
const HOUR_MS = 3_600_000

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
 *   MAX_OPEN_OF_WALLET pending donations of guests have named the wallet in the last hour
 */
export const recordAsGuest = (
  ctx: Context,
  input: Screened<RecordAsGuest>,
): Promise<{ donation: DonationView; claim: ClaimLinkView }> =>
  withTransaction(ctx, async (ctx) => {
    const wallet = inField('donor.walletAddress', () => parseAddress(input.donor.walletAddress))
    await lockWallet(ctx, wallet)
    await limitGuests(ctx, wallet)
    const { transaction } = input
    const donation = transaction
      ? (await recordDonation(ctx, { ...input, transaction })).donation
      : await recordIntent(ctx, input)
    return { donation, claim: await makeClaimLink(ctx, donation.id) }
  })

/** Limits the pending donations of guests per wallet. The caller has locked the wallet. */
const limitGuests = async ({ sql, clock }: Context, wallet: string): Promise<void> => {
  const open = await sql`
    select from donation
    where user_id is null and donor_wallet = ${wallet} and status = 'pending'
      and created_at > ${new Date(clock.now().getTime() - HOUR_MS)}
    limit ${MAX_OPEN_OF_WALLET}`
  if (open.length < MAX_OPEN_OF_WALLET) return
  throw new DomainError(
    'too_many_pending',
    `${MAX_OPEN_OF_WALLET} donations of guests from the last hour wait for this wallet: sign in with this wallet, or try again later.`,
  )
}
