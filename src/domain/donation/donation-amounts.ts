import type { Donation } from '../../db/schema/donations.ts'
import type { Context } from '../context.ts'
import type { Arrived, Credit } from '../ledger/index.ts'
import { type MoneyView, moneyOf } from '../total/index.ts'
import type { DonationRow } from './rows.ts'

export type DonationAmounts = {
  /** The declared amount; from the first credit on the amount that arrived, even if reversed. */
  amount: MoneyView
  declaredAmount: MoneyView
  /** The amount in a block; final, and the same as `amount`, from the first credit on. */
  confirmedAmount: MoneyView | null
  /** The amount credited, in the campaign's currency; null without a credit. */
  creditedAmount: MoneyView | null
  /** Whether another amount arrived than was declared; false without a credit. */
  discrepancy: boolean
}

type Declared = Pick<Donation, 'declaredAssetId' | 'declaredAmount'>

/** The amounts of a donation and of the credit of it that an event is about. */
export type CreditedMoney = Declared &
  Pick<Donation, 'discrepancy'> & { arrived: Arrived; currencyId: string; creditedAmount: string }

export const toDonationAmounts = (ctx: Context, row: DonationRow): DonationAmounts => {
  const declaredAmount = moneyOf(ctx, row.declaredAssetId, row.declaredAmount)
  const arrived = arrivedOf(row)
  const confirmedAmount = arrived && moneyOf(ctx, ...arrived)
  return {
    amount: (row.arrived && confirmedAmount) ?? declaredAmount,
    declaredAmount,
    confirmedAmount,
    creditedAmount:
      row.currencyId === undefined || row.creditedAmount === null
        ? null
        : moneyOf(ctx, row.currencyId, row.creditedAmount),
    discrepancy: row.discrepancy,
  }
}

/** The same for an event about a credit: every amount is known. */
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

/** The amount that arrived: by the ledger once it is credited, before that by its block. */
export const arrivedOf = (row: DonationRow): Arrived | null => {
  if (row.arrived) return row.arrived
  const { confirmedAssetId: assetId, confirmedAmount: units } = row
  return assetId === null || units === null ? null : [assetId, units]
}

/** Whether another amount arrived than was declared, in the asset of the declaration. */
export const isDiscrepant = (row: Declared, credit: Credit): boolean => {
  const declared = BigInt(row.declaredAmount)
  if (row.declaredAssetId === credit.assetId) return declared !== credit.amount
  return row.declaredAssetId !== credit.currencyId || declared !== credit.credited
}
