import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { type Arrived, type Credit, moneyOf } from '../../books/index.ts'
import type { DonationRow } from './rows.ts'

type Declared = Pick<Donation, 'declaredAssetId' | 'declaredAmount'>

/** The amounts of a donation and its credit, for an event about the credit. */
export type CreditedMoney = Declared &
  Pick<Donation, 'discrepancy'> & { arrived: Arrived; currencyId: string; creditedAmount: string }

export const toDonationAmounts = (ctx: Context, row: DonationRow) => {
  const declaredAmount = moneyOf(ctx, row.declaredAssetId, row.declaredAmount)
  const arrived = arrivedOf(row)
  const confirmedAmount = arrived && moneyOf(ctx, ...arrived)
  return {
    /** The declared amount; after the first credit, the amount that arrived. */
    amount: (row.arrived && confirmedAmount) ?? declaredAmount,
    declaredAmount,
    /** The amount that arrived; null while no block has shown the transfer. */
    confirmedAmount,
    /** The credited amount, in the campaign's currency; null without a credit. */
    creditedAmount:
      row.currencyId === undefined || row.creditedAmount === null
        ? null
        : moneyOf(ctx, row.currencyId, row.creditedAmount),
    /** The part of the credit that an escrow has paid back; null without a refund. */
    refundedAmount:
      row.currencyId === undefined || row.refundedAmount === null
        ? null
        : moneyOf(ctx, row.currencyId, row.refundedAmount),
    /** Whether the arrived amount differs from the declared amount; false without a credit. */
    discrepancy: row.discrepancy,
  }
}

/** Formats the amounts of a donation for an event about its credit. No amount is null. */
export const toCreditedAmounts = (ctx: Context, row: CreditedMoney) => {
  const amount = moneyOf(ctx, ...row.arrived)
  return {
    amount,
    declaredAmount: moneyOf(ctx, row.declaredAssetId, row.declaredAmount),
    confirmedAmount: amount,
    creditedAmount: moneyOf(ctx, row.currencyId, row.creditedAmount),
    discrepancy: row.discrepancy,
  }
}

/** Reads the arrived amount from the ledger or, before the first credit, from the block. */
export const arrivedOf = (row: DonationRow): Arrived | null => {
  if (row.arrived) return row.arrived
  const { confirmedAssetId, declaredAssetId, confirmedAmount: units } = row
  return units === null ? null : [confirmedAssetId ?? declaredAssetId, units]
}

/** Whether the payment differs from the declared amount. */
export const isDiscrepant = (row: Declared, credit: Credit): boolean => {
  const declared = BigInt(row.declaredAmount)
  if (row.declaredAssetId === credit.assetId) return declared !== credit.amount
  return row.declaredAssetId !== credit.currencyId || declared !== credit.credited
}
