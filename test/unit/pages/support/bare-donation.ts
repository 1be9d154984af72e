import type { DonationView } from '../../../../src/domain/donations/index.ts'

/** The fields of a donation's view that stay the same until a payment is seen. */
export const bareDonation = (declared: DonationView['amount']) => ({
  isProven: false,
  paidAt: null,
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
