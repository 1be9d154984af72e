import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { attachTransaction } from './attach-transaction.ts'
import type { DonationView } from './donation-view.ts'
import { getDonation } from './get-donation.ts'
import { readOwnDonation } from './own-donation.ts'
import type { ChangeDonation } from './schemas.ts'

/**
 * Changes what a donor is seen with, and attaches the hash of the payment to an intent
 * (`attachTransaction`). What is hidden stays hidden.
 *
 * @throws DomainError `not_found`, `unauthenticated`, `forbidden`, `conflict` for a hash of what is
 * no intent, or is paid or cancelled
 */
export const changeDonation = (
  ctx: Context,
  id: string,
  { txHash, donor, claimToken }: ChangeDonation,
): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    if (txHash !== undefined) await attachTransaction(ctx, id, { txHash, claimToken })
    if (donor !== undefined) {
      const row = await readOwnDonation(ctx, id, claimToken)
      const { name = row.donorName, message = row.donorMessage } = donor
      await ctx.sql`
        update donation set donor_name = ${name}, donor_message = ${message} where id = ${id}`
    }
    return getDonation(ctx, id)
  })
