import { DomainError } from '../../../kernel/errors.ts'
import type { Context } from '../../context.ts'
import { type ReadyTransaction, readyTransaction } from '../ready-transaction.ts'
import type { RefundClaim } from './donor-refund.ts'
import { findDonationRefund } from './find-donation-refund.ts'

/** The refund of a donation, which can be sent now. */
export type DonationRefund = RefundClaim & {
  donationId: string
  campaignId: string
  transaction: ReadyTransaction
}

/**
 * Returns the transaction that refunds a donation, which any account may send. Must run outside a
 * transaction, because it simulates the call.
 *
 * @throws DomainError as `findDonationRefund` does, and
 * - `already_refunded`; `conflict` for a payment in the native coin by a call of a contract
 * - `refund_root_missing` if no root in force has the transfer, `refund_window_open` if one waits
 */
export const getDonationRefund = async (
  ctx: Context,
  donationId: string,
): Promise<DonationRefund> => {
  const found = await findDonationRefund(ctx, donationId)
  const { escrow } = found
  switch (found.state) {
    case 'missing':
      throw new DomainError(
        'refund_root_missing',
        `This plain transfer needs a refund root that ${escrow.terms.quorum} verifiers sign, and this service knows no proposed root with it. Ask the verifiers, and wait for the event refund.root.proposed.`,
      )
    case 'uncounted':
      throw new DomainError(
        'conflict',
        'A call of a contract paid this donation in the native coin, and no refund root counts such payments. Ask the verifiers of the escrow: only a root that they make themselves can return it.',
      )
    case 'waits':
      throw new DomainError(
        'refund_window_open',
        `A refund root is proposed. Donors can claim by it from ${found.readyAt.toISOString()}, unless a verifier vetoes it.`,
      )
    case 'done':
      throw new DomainError(
        'already_refunded',
        'The donor has already got this refund, so there is nothing to send.',
      )
    default: {
      const { claim, call } = found
      const { campaignId } = escrow
      const transaction = await readyTransaction(ctx, escrow, [call])
      return { donationId, campaignId, ...claim, transaction }
    }
  }
}
