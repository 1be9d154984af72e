import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { type ReadyTransaction, readyTransaction } from '../escrow/ready-transaction.ts'
import { findDonationRefund } from './find-donation-refund.ts'

/** The refund of a donation, which can be sent now. Addresses have EIP-55 checksums. */
type DonationRefund = {
  donationId: string
  campaignId: string
  receiver: string
  asset: string
  transaction: ReadyTransaction
}

/**
 * Returns the transaction that refunds a donation, which any account may send. Must run outside a
 * transaction of the database, because it simulates the call.
 *
 * @throws DomainError as `findDonationRefund` does, and
 * - `already_refunded`
 * - `refund_by_verifiers` for a transfer that the contract did not record
 */
export const getDonationRefund = async (
  ctx: Context,
  donationId: string,
): Promise<DonationRefund> => {
  const { escrow, state, receiver, asset, call } = await findDonationRefund(ctx, donationId)
  const { campaignId, terms } = escrow
  if (state === 'done' || (state === 'sent' && call === null)) {
    throw new DomainError(
      'already_refunded',
      'The escrow has already paid this refund, so there is nothing to send.',
    )
  }
  if (call === null || receiver === null) {
    throw new DomainError(
      'refund_by_verifiers',
      `The contract did not record this transfer, so ${terms.quorum} verifiers must sign its return. Show them that the account which paid is yours. They read GET /api/campaigns/:id/returns.`,
    )
  }
  return {
    ...{ donationId, campaignId },
    receiver: toChecksumAddress(receiver),
    asset: toChecksumAddress(asset),
    transaction: await readyTransaction(ctx, escrow, [call]),
  }
}
