export { type MoneyView, moneyOf } from './money-of.ts'
export { addToTotals, type Movement, takeFromTotals } from './move-totals.ts'
