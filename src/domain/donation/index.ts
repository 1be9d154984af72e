export {
  type DueDonation,
  listDueDonations,
  matchStoredTransfers,
  noteUnseen,
  postponeChecks,
} from './check-pending.ts'
export type { Confirmation, DonationView, MoneyView } from './donation-view.ts'
export { getDonation } from './get-donation.ts'
export { listDonations } from './list-donations.ts'
export { type MinedTransaction, matchDonations } from './match-donations.ts'
export { recordDonation } from './record-donation.ts'
export {
  DONATION_STATUSES,
  type DonationStatus,
  ListDonations,
  NATIVE_POSITION,
  RecordDonation,
} from './schemas.ts'
export { screenDonation } from './screen-donation.ts'
export { SETTLE_BATCH, settleDonations } from './settle-donations.ts'
export { type Undone, undoDonations } from './undo-donations.ts'
