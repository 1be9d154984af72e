export { addToTotals, type Movement, takeFromTotals } from './move-totals.ts'
