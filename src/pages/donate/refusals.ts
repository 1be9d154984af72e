import { STATUS_OF } from '../../edge/errors.ts'
import { DomainError, type ErrorCode } from '../../kernel/errors.ts'
import type { FormError } from '../components/form.tsx'
import type { Problem } from '../shared/payment-machine.ts'
import type { DonateTexts } from '../texts/donate/en.ts'

type Refusal = keyof DonateTexts['refusals']

/** A form that was refused. `field` is the name of the input that has to change. */
export type Refused = { status: number; refusal: Refusal; field?: string | undefined }

const REFUSAL_OF: Partial<Record<ErrorCode, Refusal>> = {
  invalid_amount: 'amount',
  unknown_currency: 'currency',
  campaign_not_active: 'closed',
  blocked_for_legal_reasons: 'blocked',
  too_many_pending: 'tooMany',
  rate_limited: 'limited',
  email_unverified: 'unverified',
  transfer_already_claimed: 'claimed',
  transfer_before_campaign: 'early',
  conflict: 'paidOrCancelled',
  unavailable: 'unavailable',
}

/** The refusal of a wrong value, by its path in a body. */
const BY_PATH: Readonly<Record<string, Refusal>> = {
  'amount.value': 'amount',
  'amount.currency': 'currency',
  'donor.walletAddress': 'wallet',
  'donor.name': 'name',
  'donor.message': 'message',
  'transaction.txHash': 'transaction',
  txHash: 'transaction',
}

const FIELD_OF: Partial<Record<Refusal, string>> = {
  amount: 'amount',
  currency: 'currency',
  wallet: 'wallet',
  name: 'name',
  message: 'message',
  transaction: 'transaction',
  blocked: 'wallet',
  ownAccount: 'wallet',
  unknownPayment: 'amount',
}

/** Makes a refusal, with its field of the form if it has one. */
export const refused = (refusal: Refusal, status = 400): Refused => ({
  status,
  refusal,
  field: FIELD_OF[refusal],
})

/** Converts a domain error that the form can explain. Throws any other error again. */
export const toRefused = (error: unknown): Refused => {
  if (!(error instanceof DomainError)) throw error
  const isInput = error.code === 'invalid_input'
  const ofInput = BY_PATH[error.details?.[0]?.path ?? ''] ?? 'other'
  const refusal = isInput ? ofInput : REFUSAL_OF[error.code]
  if (!refusal) throw error
  return refused(refusal, STATUS_OF[error.code])
}

/** The refusal as a line of the error summary. */
export const errorOf = (t: DonateTexts, { refusal, field }: Refused): FormError => ({
  field,
  text: t.refusals[refusal],
})

const PROBLEM_OF: Partial<Record<Refusal, Problem>> = {
  blocked: 'blocked',
  closed: 'closed',
  tooMany: 'too-many',
  limited: 'limited',
  unavailable: 'unreachable',
}

/** The refusal for the payment panel in the browser. */
export const problemOf = ({ refusal }: Refused): Problem => PROBLEM_OF[refusal] ?? 'refused'
