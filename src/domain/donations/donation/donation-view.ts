import type { Context } from '../../../db/context.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { logPositionOf } from '../../../kernel/formats/log-position.ts'
import { PRICE_FAILURE_REASONS, type PriceSource } from '../../../kernel/money/prices.ts'
import { isCreditedStatus } from '../../../kernel/statuses.ts'
import { FAILURE_REASONS } from '../../../outbox/events.ts'
import { toDonationAmounts } from './donation-amounts.ts'
import type { RefundMethod } from './payment-methods.ts'
import { toPaymentView } from './payment-view.ts'
import type { DonationRow } from './rows.ts'

/** The reasons why a donation waits, has expired, has failed or was reversed. */
export const DONATION_REASONS = [
  'waiting_for_transaction',
  'waiting_for_payment',
  'waiting_for_finality',
  'waiting_for_finality_proof',
  'node_unavailable',
  'node_disbelieved',
  'internal_payment_unproven',
  'replacement_not_found',
  ...PRICE_FAILURE_REASONS,
  ...FAILURE_REASONS,
  'never_seen',
  'payment_not_received',
  'another_intent_paid',
  'reorganised',
] as const

export type DonationView = ReturnType<typeof toDonationView>

/** `created` is false if the caller had already recorded the same donation. */
export type RecordedDonation = { donation: DonationView; created: boolean }

/**
 * Converts a row to the view. Fields that the actor may not see are null. `isDonor` is true for a
 * guest who has just recorded the donation, or who has its claim link.
 */
export const toDonationView = (ctx: Context, row: DonationRow, { isDonor = false } = {}) => {
  const seesDonor =
    mayActFor(ctx.actor, row.userId) ||
    (row.creatorId !== undefined && mayActFor(ctx.actor, row.creatorId))
  // Anyone can write words to a donation that is never paid, so strangers see the words only after
  // a payment.
  const seesWords = seesDonor || isDonor || (row.transferId !== null && !row.donorHidden)
  return {
    id: row.id,
    /** Null unless the caller is the donor, the campaign's creator or an administrator. */
    userId: seesDonor ? row.userId : null,
    campaignId: row.campaignId,
    status: row.status,
    /** Whether the proof can be downloaded. Pages show it; the API has the proof itself. */
    isProven: row.isProven ?? false,
    type: seesWords ? row.type : null,
    /** Null without a name and a message, or if the caller may not see them, like `type`. */
    donor: seesWords ? wordsOf(row) : null,
    ...toDonationAmounts(ctx, row),
    /** The price of one whole unit of the arrived asset; null if the amount was not converted. */
    price: row.price,
    priceSource: row.priceSource?.map(withChecksum) ?? null,
    /** Null if the donation is an intent without a payment. */
    transaction:
      row.txHash === null
        ? null
        : {
            txHash: row.txHash,
            originalTxHash: row.originalTxHash,
            replacedBy: row.replacedBy,
            ledgerAddress: toChecksumAddress(row.ledgerAddress),
            chainId: row.chainId,
            blockNumber: row.blockNumber,
            /** The position of the transfer. Before a credit, the position in the claim. */
            logPosition: logPositionOf(
              (isCreditedStatus(row.status) ? row.transferPosition : null) ?? row.claimedPosition,
            ),
          },
    payment: toPaymentView(ctx, row),
    /** Who refunds the transfer if the escrow fails; null without an escrow or a transfer. */
    refund: refundOf(row),
    confirmation: isCreditedStatus(row.status) ? null : confirmationOf(row),
    /** The reason of the failure; null unless the status is `failed`. */
    reason: row.status === 'failed' ? row.reason : null,
    createdAt: row.createdAt,
    /** The time of the payment's block; null if no block has it. Only pages show it. */
    paidAt: row.minedAt ?? null,
    completedAt: row.completedAt,
  }
}

const refundOf = ({ escrowTerms, transferId, recordedDonor }: DonationRow): RefundMethod | null => {
  if (!escrowTerms || transferId === null) return null
  return recordedDonor ? 'on_chain' : 'by_verifiers'
}

const wordsOf = ({ donorName: name, donorMessage: message, donorHidden: hidden }: DonationRow) =>
  name === null && message === null ? null : { name, message, hidden }

const withChecksum = (step: PriceSource): PriceSource =>
  step.feed === undefined ? step : { ...step, feed: toChecksumAddress(step.feed) }

/** The progress of a donation that is not completed, with the reason why it waits or has failed. */
const confirmationOf = (row: DonationRow) => {
  const head = row.headNumber ?? null
  return {
    reason: isOnlyUnproven(row) ? 'waiting_for_finality_proof' : row.reason,
    confirmations:
      head === null || row.blockNumber === null ? 0 : Math.max(0, head - row.blockNumber + 1),
    /** The number of confirmations after which a block of this chain is final; null if unknown. */
    required: head === null ? null : head - (row.finalizedNumber ?? 0) + 1,
    blockNumber: row.blockNumber,
    nextCheckAt: row.nextCheckAt,
  }
}

/** Whether the nodes call the block final, and only the proof of the committee is missing. */
const isOnlyUnproven = ({ reason, blockNumber, claimedNumber, finalizedNumber }: DonationRow) =>
  reason === 'waiting_for_finality' &&
  blockNumber !== null &&
  blockNumber <= (claimedNumber ?? 0) &&
  blockNumber > (finalizedNumber ?? 0)
