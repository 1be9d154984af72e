export { cancelIntent, changeDonation, setVisibility } from './change-donation.ts'
export {
  type ClaimLinkView,
  claimByWallet,
  claimDonation,
  pruneClaimLinks,
} from './claim/claim-link.ts'
export { takeTransfer } from './claim/take-transfer.ts'
export { DONATION_REASONS, type DonationView } from './donation-view.ts'
export {
  clampChecks,
  type DueDonation,
  isAnythingDue,
  listDueDonations,
  noteLostNonce,
  noteUnanswered,
  noteUnseen,
  postponeChecks,
} from './match/look-ups.ts'
export { matchDonations } from './match/match-donations.ts'
export { offerToIntents } from './match/match-intents.ts'
export { matchStoredTransfers } from './match/match-late.ts'
export {
  noteSigners,
  type Replacement,
  replaceTransactions,
  restoreTransactions,
} from './match/replace-transaction.ts'
export { type PaymentMethod, REFUND_ROADS } from './payment-methods.ts'
export { PAYMENT_STATES, type PaymentView } from './payment-view.ts'
export {
  getDonation,
  hasRival,
  listDonations,
  readDonations,
} from './read-donations.ts'
export { readWaiting } from './read-waiting.ts'
export { preparePayment } from './record/prepare-payment.ts'
export { recordAsGuest } from './record/record-as-guest.ts'
export { recordDonation } from './record/record-donation.ts'
export { recordIntent } from './record/record-intent.ts'
export { screenDonation } from './record/screen-donation.ts'
export {
  ChangeDonation,
  ClaimDonation,
  ListDonations,
  RecordDonation,
  RecordIntent,
  SetVisibility,
} from './schemas.ts'
export { type Reverted, revertDonations } from './settle/revert-donations.ts'
export { SETTLE_BATCH, settleDonations } from './settle/settle-donations.ts'
