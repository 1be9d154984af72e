export { cancelIntent, changeDonation, setVisibility } from './change-donation.ts'
export {
  type ClaimLinkView,
  claimByWallet,
  claimDonation,
  pruneClaimLinks,
} from './claim-link.ts'
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
} from './look-ups.ts'
export { matchDonations } from './match-donations.ts'
export { offerToIntents } from './match-intents.ts'
export { matchStoredTransfers } from './match-late.ts'
export { PAYMENT_STATES, type PaymentView } from './payment-view.ts'
export { getDonation, listDonations, readDonations } from './read-donations.ts'
export { recordAsGuest } from './record-as-guest.ts'
export { recordDonation } from './record-donation.ts'
export { recordIntent } from './record-intent.ts'
export {
  noteSigners,
  type Replacement,
  replaceTransactions,
  restoreTransactions,
} from './replace-transaction.ts'
export { type Reverted, revertDonations } from './revert-donations.ts'
export {
  ChangeDonation,
  ClaimDonation,
  ListDonations,
  RecordDonation,
  SetVisibility,
} from './schemas.ts'
export { screenDonation } from './screen-donation.ts'
export { SETTLE_BATCH, settleDonations } from './settle-donations.ts'
export { takeTransfer } from './take-transfer.ts'
