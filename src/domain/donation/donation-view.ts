import { mayActFor } from '../../kernel/actor.ts'
import { toChecksumAddress } from '../../kernel/address.ts'
import { logPositionOf } from '../../kernel/log-position.ts'
import type { Context } from '../context.ts'
import type { PriceSource } from '../price/index.ts'
import { type DonationAmounts, toDonationAmounts } from './donation-amounts.ts'
import { type PaymentView, toPaymentView } from './payment-view.ts'
import type { DonationRow } from './rows.ts'
import type { DonationStatus } from './schemas.ts'

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
    mayActFor(ctx.actor, row.user_id) ||
    (row.creator_id !== undefined && mayActFor(ctx.actor, row.creator_id))
  return {
    id: row.id,
    userId: seesDonor ? row.user_id : null,
    campaignId: row.campaign_id,
    status: row.status,
    type: row.type,
    donor: wordsOf(row, seesDonor),
    ...toDonationAmounts(ctx, row),
    price: row.price,
    priceSource: row.price_source?.map(withChecksum) ?? null,
    transaction:
      row.tx_hash === null
        ? null
        : {
            txHash: row.tx_hash,
            originalTxHash: row.original_tx_hash,
            replacedBy: row.replaced_by,
            ledgerAddress: toChecksumAddress(row.ledger_address),
            chainId: row.chain_id,
            blockNumber: row.block_number,
            logPosition: logPositionOf(
              (row.status === 'completed' ? row.transfer_position : null) ?? row.claimed_position,
            ),
          },
    payment: toPaymentView(ctx, row),
    confirmation: row.status === 'completed' ? null : confirmationOf(row),
    reason: row.status === 'failed' ? row.reason : null,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

const wordsOf = (
  { donor_name: name, donor_message: message, donor_hidden: hidden }: DonationRow,
  seesDonor: boolean,
): DonationView['donor'] => {
  const isSeen = (name !== null || message !== null) && (seesDonor || !hidden)
  return isSeen ? { name, message, hidden } : null
}

const withChecksum = (step: PriceSource): PriceSource =>
  step.feed === undefined ? step : { ...step, feed: toChecksumAddress(step.feed) }

const confirmationOf = (row: DonationRow): Confirmation => {
  const head = row.head_number ?? null
  return {
    reason: row.reason,
    confirmations:
      head === null || row.block_number === null ? 0 : Math.max(0, head - row.block_number + 1),
    required: head === null ? null : head - (row.finalized_number ?? 0) + 1,
    blockNumber: row.block_number,
    nextCheckAt: row.next_check_at,
  }
}
