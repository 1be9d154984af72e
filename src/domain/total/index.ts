export { type MoneyView, moneyOf } from './money-of.ts'
export { addToTotals, takeFromTotals } from './move-totals.ts'
export { crossThresholds } from './thresholds.ts'
