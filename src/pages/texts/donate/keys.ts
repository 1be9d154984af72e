/** The refusals of the forms that have a sentence of their own. */
export const REFUSALS = [
  'amount',
  'currency',
  'wallet',
  'ownAccount',
  'name',
  'message',
  'transaction',
  'closed',
  'blocked',
  'tooMany',
  'limited',
  'unverified',
  'claimed',
  'early',
  'unknownPayment',
  'paidOrCancelled',
  'unavailable',
  'other',
] as const
export type Refusal = (typeof REFUSALS)[number]
