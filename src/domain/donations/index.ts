/** Donations and intents: record, claim, read, and the deposits that are offered to donors. */

export {
  type ClaimLinkView,
  claimByWallet,
  claimDonation,
  pruneClaimLinks,
} from './claim/claim-link.ts'
export { announceDeposits, clampAnnouncements } from './deposit/announce-deposits.ts'
export { bookDeposits } from './deposit/book-deposits.ts'
export { challengeDeposit } from './deposit/challenge-deposit.ts'
export { checkDepositClaim, claimDeposit } from './deposit/claim-deposit.ts'
export type { DepositView } from './deposit/find-deposits.ts'
export { findPayments } from './deposit/find-payments.ts'
export { listDeposits, listOwnDeposits } from './deposit/list-deposits.ts'
export { listOfferedPayments } from './deposit/offered-payments.ts'
export { ClaimDeposit, DEPOSIT_STATUSES, ListDeposits, ListOwnDeposits } from './deposit/schemas.ts'
export { cancelIntent, changeDonation, setVisibility } from './donation/change-donation.ts'
export { isDiscrepant } from './donation/donation-amounts.ts'
export {
  type CreditedDonation,
  completedEvent,
  type EventSubject,
  failedEvent,
  reopenedEvent,
  reversedEvent,
  subjectColumns,
} from './donation/donation-events.ts'
export { DONATION_REASONS, type DonationView } from './donation/donation-view.ts'
export {
  type History,
  type HistoryTotals,
  readOwnDonations,
  readOwnHistory,
} from './donation/own-history.ts'
export { REFUND_METHODS } from './donation/payment-methods.ts'
export { PAYMENT_STATES, type PaymentView } from './donation/payment-view.ts'
export { getDonation, hasRival, listDonations, readDonations } from './donation/read-donations.ts'
export { readWaiting } from './donation/read-waiting.ts'
export {
  ChangeDonation,
  ClaimDonation,
  ListDonations,
  RecordDonation,
  RecordIntent,
  SetVisibility,
} from './donation/schemas.ts'
export { isOpenToIntents, offerToIntents } from './intent/match-intents.ts'
export { becomes, withoutBlock, withoutCredit, withoutPayment } from './lifecycle.ts'
export { donate } from './record/donate.ts'
export { donateInPlace } from './record/donate-in-place.ts'
export { screenDonation } from './record/screen-donation.ts'
