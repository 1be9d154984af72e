export { checkLedger, type Difference, type LedgerCheck } from './check-ledger.ts'
export {
  LEDGER_ACCOUNT_KINDS,
  LEDGER_ENTRY_KINDS,
  type LedgerEntryView,
  listEntries,
} from './list-entries.ts'
export { type Credit, postCredits } from './post-credits.ts'
export { type Release, releaseMilestone } from './release-milestone.ts'
export { reverseCredits } from './reverse-credits.ts'
