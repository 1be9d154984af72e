export { attachTransaction } from './attach-transaction.ts'
export { cancelIntent } from './cancel-intent.ts'
export { changeDonation } from './change-donation.ts'
export {
  clampChecks,
  type DueDonation,
  isAnythingDue,
  listDueDonations,
  matchStoredTransfers,
  noteUnanswered,
  noteUnseen,
  postponeChecks,
} from './check-pending.ts'
export {
  type ClaimLinkView,
  claimByWallet,
  claimDonation,
  pruneClaimLinks,
} from './claim-link.ts'
export type { Confirmation, DonationView } from './donation-view.ts'
export { getDonation } from './get-donation.ts'
export { listDonations, readDonations } from './list-donations.ts'
export { type MinedTransaction, matchDonations } from './match-donations.ts'
export { offerToIntents } from './match-intents.ts'
export { PAYMENT_STATES, type PaymentView } from './payment-view.ts'
export { DONATION_REASONS } from './reasons.ts'
export { MAX_OPEN_OF_WALLET, type RecordAsGuest, recordAsGuest } from './record-as-guest.ts'
export { recordDonation } from './record-donation.ts'
export { recordIntent } from './record-intent.ts'
export {
  noteLostNonce,
  noteSigners,
  type Replacement,
  replaceTransactions,
  restoreTransactions,
  type SignedBy,
} from './replace-transaction.ts'
export { type Reverted, revertDonations } from './revert-donations.ts'
export {
  ChangeDonation,
  ClaimDonation,
  ListDonations,
  RecordDonation,
  RecordIntent,
  SetVisibility,
} from './schemas.ts'
export { screenDonation } from './screen-donation.ts'
export { setVisibility } from './set-visibility.ts'
export { SETTLE_BATCH, settleDonations } from './settle-donations.ts'
export { type TransferClaim, takeTransfer } from './take-transfer.ts'
