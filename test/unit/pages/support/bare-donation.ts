import type { DonationView } from '../../../../src/domain/donations/index.ts'

/** What the view of a donation has beside its place and its state while nothing has come of it. */
export const bareDonation = (declared: DonationView['amount']) => ({
  isProven: false,
  type: null,
  donor: null,
  amount: declared,
  declaredAmount: declared,
  confirmedAmount: null,
  creditedAmount: null,
  refundedAmount: null,
  discrepancy: false,
  price: null,
  priceSource: null,
  transaction: null,
  payment: null,
  refund: null,
  confirmation: null,
  reason: null,
  completedAt: null,
})
