export type { DonorRefund } from './donor-refund.ts'
export {
  type DueEscrow,
  type DueRoot,
  listDueEscrows,
  readDueRoot,
  storeRoot,
} from './due-roots.ts'
export { type AccountRefunds, findAccountRefunds } from './find-account-refunds.ts'
export { type FoundRefund, findDonationRefund } from './find-donation-refund.ts'
export { type DonationRefund, getDonationRefund } from './get-donation-refund.ts'
export { getRefunds, type RefundsView, type RootView } from './get-refunds.ts'
export { type AccountRefundsView, listAccountRefunds } from './list-account-refunds.ts'
export {
  type Donated,
  type End,
  endOf,
  type Failure,
  type Payment,
  type PlainPayment,
  plainPayments,
  REFUND_RULE,
  refundLeaves,
} from './rule.ts'
export { SignRoot } from './schemas.ts'
export {
  type CheckedRootSignature,
  checkRootSignature,
  type SignedRoot,
  signRoot,
} from './sign-root.ts'
