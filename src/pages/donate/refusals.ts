import { STATUS_OF } from '../../edge/errors.ts'
import { DomainError, type ErrorCode } from '../../kernel/errors.ts'
import type { FormError } from '../components/form.tsx'
import type { Problem } from '../shared/payment-machine.ts'
import type { DonateTexts } from '../texts/donate/en.ts'

export type Refusal = keyof DonateTexts['refusals']

/** A form that was refused, with all that has to change. */
export type Refused = { status: number; refusals: readonly Refusal[] }

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
  walletName: 'wallet',
  name: 'name',
  message: 'message',
  transaction: 'transaction',
  blocked: 'wallet',
  ownAccount: 'wallet',
  unknownPayment: 'amount',
}

/** Makes a refusal of one reason, or of several. */
export const refused = (refusals: Refusal | readonly Refusal[], status = 400): Refused => ({
  status,
  refusals: typeof refusals === 'string' ? [refusals] : refusals,
})

/** Converts a domain error that the form can explain. Throws any other error again. */
export const toRefused = (error: unknown): Refused => {
  if (!(error instanceof DomainError)) throw error
  if (error.code === 'invalid_input') {
    const paths = error.details?.map(({ path }) => BY_PATH[path] ?? 'other') ?? []
    return refused(paths.length > 0 ? [...new Set(paths)] : 'other')
  }
  const refusal = REFUSAL_OF[error.code]
  if (!refusal) throw error
  return refused(refusal, STATUS_OF[error.code])
}

/** The refusals as lines of the error summary. */
export const errorsOf = (t: DonateTexts, { refusals }: Refused): FormError[] =>
  refusals.map((refusal) => ({ field: FIELD_OF[refusal], text: t.refusals[refusal] }))

/** Why an input was refused; undefined if it was not. */
export const errorFor = (
  t: DonateTexts,
  refused: Refused | null,
  name: string,
): string | undefined =>
  refused ? errorsOf(t, refused).find(({ field }) => field === name)?.text : undefined

const PROBLEM_OF: Partial<Record<Refusal, Problem>> = {
  blocked: 'blocked',
  closed: 'closed',
  tooMany: 'too-many',
  limited: 'limited',
  unavailable: 'unreachable',
}

/** The refusal for the payment panel in the browser. */
export const problemOf = ({ refusals: [first] }: Refused): Problem =>
  (first && PROBLEM_OF[first]) ?? 'refused'
