import { mayActFor } from '../../kernel/actor.ts'
import { toChecksumAddress } from '../../kernel/address.ts'
import { logPositionOf } from '../../kernel/log-position.ts'
import type { PriceSource } from '../../kernel/prices.ts'
import type { DonationStatus } from '../../kernel/statuses.ts'
import type { Context } from '../context.ts'
import { type DonationAmounts, toDonationAmounts } from './donation-amounts.ts'
import { type PaymentView, toPaymentView } from './payment-view.ts'
import type { DonationRow } from './rows.ts'

/** Why a donation is not completed yet, and what has to happen. */
export type Confirmation = {
  reason: string
  confirmations: number
  /** How many confirmations it takes as the chain stands now; null while it is not followed. */
  required: number | null
  blockNumber: number | null
  nextCheckAt: Date | null
}

export type DonationView = DonationAmounts & {
  id: string
  /** Null for everybody but the donor, the campaign's creator and administrators. */
  userId: string | null
  campaignId: string
  status: DonationStatus
  type: string | null
  /** What the donor is seen with. Null: anonymous, or hidden from the caller. */
  donor: { name: string | null; message: string | null; hidden: boolean } | null
  /**
   * What one whole unit of what arrived counted for, as a decimal text; null where nothing was
   * converted.
   */
  price: string | null
  /** The steps to `price`; null for configured prices alone. */
  priceSource: PriceSource[] | null
  /** Null for an intent that no transfer has settled. */
  transaction: {
    txHash: string
    /** The hash that was recorded, where its sender replaced that transaction by this one. */
    originalTxHash: string | null
    /** What took the transaction's place without paying the campaign. */
    replacedBy: string | null
    ledgerAddress: string
    chainId: number
    blockNumber: number | null
    /** Of the credited transfer once it is completed; before that what was claimed. */
    logPosition: number | 'native' | 'internal' | null
  } | null
  /** Of an intent: how to pay it, and what was paid. */
  payment: PaymentView | null
  confirmation: Confirmation | null
  /** Why it failed; null otherwise. */
  reason: string | null
  createdAt: Date
  completedAt: Date | null
}

/** A donation as the actor may see it. */
export const toDonationView = (ctx: Context, row: DonationRow): DonationView => {
  const seesDonor =
    mayActFor(ctx.actor, row.userId) ||
    (row.creatorId !== undefined && mayActFor(ctx.actor, row.creatorId))
  return {
    id: row.id,
    userId: seesDonor ? row.userId : null,
    campaignId: row.campaignId,
    status: row.status,
    type: row.type,
    donor: wordsOf(row, seesDonor),
    ...toDonationAmounts(ctx, row),
    price: row.price,
    priceSource: row.priceSource?.map(withChecksum) ?? null,
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
            logPosition: logPositionOf(
              (row.status === 'completed' ? row.transferPosition : null) ?? row.claimedPosition,
            ),
          },
    payment: toPaymentView(ctx, row),
    confirmation: row.status === 'completed' ? null : confirmationOf(row),
    reason: row.status === 'failed' ? row.reason : null,
    createdAt: row.createdAt,
    completedAt: row.completedAt,
  }
}

const wordsOf = (
  { donorName: name, donorMessage: message, donorHidden: hidden }: DonationRow,
  seesDonor: boolean,
): DonationView['donor'] => {
  const isSeen = (name !== null || message !== null) && (seesDonor || !hidden)
  return isSeen ? { name, message, hidden } : null
}

const withChecksum = (step: PriceSource): PriceSource =>
  step.feed === undefined ? step : { ...step, feed: toChecksumAddress(step.feed) }

const confirmationOf = (row: DonationRow): Confirmation => {
  const head = row.headNumber ?? null
  return {
    reason: row.reason,
    confirmations:
      head === null || row.blockNumber === null ? 0 : Math.max(0, head - row.blockNumber + 1),
    required: head === null ? null : head - (row.finalizedNumber ?? 0) + 1,
    blockNumber: row.blockNumber,
    nextCheckAt: row.nextCheckAt,
  }
}
