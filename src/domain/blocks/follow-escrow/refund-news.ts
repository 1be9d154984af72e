import type { Context } from '../../../db/context.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { moneyOf } from '../../books/index.ts'
import type { DonationPart, Refund } from './read-refundable.ts'

/** `currentAmount`: the raised total of the campaign after the refund, in base units. */
export const refundedEvent = (
  ctx: Context,
  { refund, transfer: { donation, sender }, amount }: DonationPart,
  currentAmount: bigint,
): NewEvent => {
  const money = (units: bigint | string) => moneyOf(ctx, refund.currencyId, units.toString())
  const isElsewhere = refund.kind === 'TransferReturned' && refund.fields.receiver !== sender
  return {
    type: 'donation.refunded',
    campaignId: refund.campaignId,
    audience: [donation.userId, refund.creatorId],
    requestId: donation.requestId,
    data: {
      donationId: donation.id,
      campaignId: refund.campaignId,
      amount: money(amount),
      refundedAmount: money(amount),
      creditedAmount: money(donation.creditedAmount),
      status: amount >= BigInt(donation.creditedAmount) ? 'refunded' : 'partly_refunded',
      transaction: { ledgerTxId: refund.txHash, timestamp: refund.minedAt.toISOString() },
      userId: donation.userId,
      currentAmount: money(currentAmount),
      ...(isElsewhere && { receiver: toChecksumAddress(refund.fields.receiver) }),
    },
  }
}

type Reverted = {
  refund: Refund
  donation: { id: string; userId: string | null; requestId: string | null }
  amount: bigint
}

/** `currentAmount`: the raised total of the campaign after the reversal, in base units. */
export const refundRevertedEvent = (
  ctx: Context,
  { refund, donation, amount }: Reverted,
  currentAmount: bigint,
): NewEvent => {
  const money = (units: bigint) => moneyOf(ctx, refund.currencyId, units.toString())
  return {
    type: 'donation.refund.reverted',
    campaignId: refund.campaignId,
    audience: [donation.userId, refund.creatorId],
    requestId: donation.requestId,
    data: {
      donationId: donation.id,
      campaignId: refund.campaignId,
      amount: money(amount),
      refundedAmount: money(0n),
      status: 'completed',
      transaction: { ledgerTxId: refund.txHash },
      userId: donation.userId,
      currentAmount: money(currentAmount),
      revertedAt: ctx.clock.now().toISOString(),
    },
  }
}
