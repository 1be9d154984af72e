import type { Context } from '../context.ts'
import type { Arrived } from '../ledger/index.ts'
import { type MoneyView, moneyOf } from '../total/index.ts'
import type { DonationRow } from './rows.ts'

export type DonationAmounts = {
  /**
   * What was declared; from the first credit on what arrived, also where it was taken back since.
   */
  amount: MoneyView
  declaredAmount: MoneyView
  /** What a block holds; final, and the same as `amount`, from the first credit on. */
  confirmedAmount: MoneyView | null
  /** What it counts for, in the campaign's currency; null while it counts for nothing. */
  creditedAmount: MoneyView | null
  /** Whether what arrived differs from what was declared; false while it counts for nothing. */
  discrepancy: boolean
}

type DeclaredMoney = Pick<DonationRow, 'declaredAssetId' | 'declaredAmount' | 'discrepancy'>

type MoneyRow = DeclaredMoney &
  Pick<
    DonationRow,
    'confirmedAssetId' | 'confirmedAmount' | 'creditedAmount' | 'currencyId' | 'arrived'
  >

/** A donation and the credit of it that an event is about. */
export type CreditedMoney = DeclaredMoney & {
  arrived: Arrived
  currencyId: string
  creditedAmount: string
}

/** The one place that tells what is declared from what arrived. */
export const toDonationAmounts = (ctx: Context, row: MoneyRow): DonationAmounts => {
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
  const amounts = toDonationAmounts(ctx, {
    ...row,
    confirmedAssetId: null,
    confirmedAmount: null,
  })
  return {
    ...amounts,
    confirmedAmount: amounts.amount,
    creditedAmount: moneyOf(ctx, row.currencyId, row.creditedAmount),
  }
}

/** What arrived: as the ledger has credited it, before that as a block shows it. */
export const arrivedOf = (row: MoneyRow): Arrived | null => {
  if (row.arrived) return row.arrived
  const { confirmedAssetId: assetId, confirmedAmount: units } = row
  return assetId === null || units === null ? null : [assetId, units]
}
