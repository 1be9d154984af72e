import { withTransaction } from '../../../db/transaction.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import { type ClaimLinkView, makeClaimLink } from '../claim/claim-link.ts'
import type { DonationView } from '../donation-view.ts'
import type { RecordDonation, RecordIntent } from '../schemas.ts'
import { recordDonation } from './record-donation.ts'
import { recordIntent } from './record-intent.ts'

/** How many donations of guests with the same wallet may wait. */
const MAX_OPEN_OF_WALLET = 20

/** A guest always names the wallet, so that its holder can claim the donation. */
type RecordAsGuest = RecordIntent & {
  transaction?: RecordDonation['transaction'] | undefined
}

/**
 * Records a donation or an intent of a person without an account, and creates the link that claims
 * it once.
 *
 * @throws DomainError as `recordDonation` and `recordIntent`
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

/** Locks the wallet's guests until the transaction ends, so that the limit holds. */
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
