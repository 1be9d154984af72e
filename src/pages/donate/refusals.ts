import type { z } from 'zod'
import { STATUS_OF } from '../../http/errors.ts'
import { DomainError, type ErrorCode } from '../../kernel/errors.ts'
import type { FormError } from '../components/error-summary.tsx'
import type { Problem } from '../shared/payment-machine.ts'
import type { DonateTexts, Refusal } from './texts/texts.ts'

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

/** The refusal and the input of each path in a body. */
const BY_PATH: Readonly<Record<string, { refusal: Refusal; field: string }>> = {
  'amount.value': { refusal: 'amount', field: 'amount' },
  'amount.currency': { refusal: 'currency', field: 'currency' },
  'donor.walletAddress': { refusal: 'wallet', field: 'wallet' },
  'donor.name': { refusal: 'name', field: 'name' },
  'donor.message': { refusal: 'message', field: 'message' },
  'transaction.txHash': { refusal: 'transaction', field: 'transaction' },
  txHash: { refusal: 'transaction', field: 'transaction' },
}

const FIELD_OF: Partial<Record<Refusal, string>> = {
  amount: 'amount',
  currency: 'currency',
  blocked: 'wallet',
  ownAccount: 'wallet',
  unknownPayment: 'amount',
}

/** Makes a refusal that belongs to a field of the form. */
export const refused = (refusal: Refusal, status = 400): Refused => ({
  status,
  refusal,
  field: FIELD_OF[refusal],
})

/** The refusal of the first wrong value of a form. */
export const refusedInput = (error: z.ZodError): Refused => {
  const [issue] = error.issues
  return { status: 400, ...(BY_PATH[issue?.path.join('.') ?? ''] ?? { refusal: 'other' }) }
}

/** Converts a domain error that the form can explain. Throws any other error again. */
export const toRefused = (error: unknown): Refused => {
  if (!(error instanceof DomainError)) throw error
  const status = STATUS_OF[error.code]
  const ofPath = BY_PATH[error.details?.[0]?.path ?? '']
  const refusal = REFUSAL_OF[error.code]
  if (refusal) return { status, refusal, field: FIELD_OF[refusal] }
  if (error.code !== 'invalid_input') throw error
  return { status, ...(ofPath ?? { refusal: 'other' }) }
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
