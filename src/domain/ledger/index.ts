export { checkLedger, type Difference, type LedgerCheck } from './check-ledger.ts'
export { type Credit, postCredits } from './post-credits.ts'
export { reverseCredits } from './reverse-credits.ts'
