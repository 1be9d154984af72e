export { type Arrived, arrivedOfDonation } from './arrived-of-donation.ts'
export { campaignOfTransfer, isOfCampaign } from './campaign-of-transfer.ts'
export { checkLedger, checkSlice } from './check/check-ledger.ts'
export { isEscrowedAsset, isPaidBack } from './escrow-income.ts'
export { type LedgerEntryView, listEntries } from './list-entries.ts'
export {
  hasOpened,
  isAfterOpening,
  openingOrder,
  openingTime,
} from './opening.ts'
export { type Credit, postCredits } from './post-credits.ts'
export { type Deposit, postDeposits } from './post-deposits.ts'
export { type Line, postLines } from './post-lines.ts'
export { releaseMilestone } from './release-milestone.ts'
export { reverseCredits, reverseEscrowEntries } from './reverse-credits.ts'
