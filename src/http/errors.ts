import { DomainError, type ErrorCode, type ErrorDetail } from '../kernel/errors.ts'

export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_input: 400,
  unknown_parameter: 400,
  invalid_amount: 400,
  invalid_cursor: 400,
  unknown_currency: 400,
  unknown_chain: 400,
  invalid_terms: 400,
  escrow_target_too_high: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  invalid_token: 401,
  invalid_api_key: 401,
  refresh_reused: 401,
  invalid_code: 400,
  invalid_challenge: 400,
  invalid_signature: 400,
  forbidden: 403,
  email_unverified: 403,
  sign_in_again: 403,
  blocked_for_legal_reasons: 451,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  username_taken: 409,
  wallet_taken: 409,
  account_in_use: 409,
  account_required: 409,
  account_not_proven: 409,
  campaign_not_active: 409,
  campaigns_open: 409,
  milestone_not_reached: 409,
  transfer_already_claimed: 409,
  transfer_before_campaign: 409,
  proof_not_ready: 409,
  escrow_unsupported: 409,
  not_escrowed: 409,
  escrow_not_active: 409,
  escrow_failed: 409,
  escrow_expired: 409,
  milestone_not_verified: 409,
  already_released: 409,
  campaign_not_failed: 409,
  refund_root_missing: 409,
  refund_window_open: 409,
  already_refunded: 409,
  too_many_pending: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_invalid: 400,
  idempotency_key_reused: 422,
  idempotency_in_progress: 409,
  rate_limited: 429,
  too_many_streams: 429,
  webhook_url_refused: 400,
  webhook_limit_reached: 409,
  unavailable: 503,
  internal: 500,
}

const REALM = 'Bearer realm="fundproof"'

/** Additional headers for some error codes. RFC 9110 requires WWW-Authenticate on 401. */
const HEADERS_OF: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unauthenticated: { 'WWW-Authenticate': REALM },
  invalid_credentials: { 'WWW-Authenticate': REALM },
  invalid_api_key: { 'WWW-Authenticate': REALM },
  refresh_reused: { 'WWW-Authenticate': REALM },
  // The parameter `error` is from RFC 6750, section 3.1.
  invalid_token: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  unavailable: { 'Retry-After': '5' },
  idempotency_in_progress: { 'Retry-After': '1' },
  proof_not_ready: { 'Retry-After': '10' },
  too_many_streams: { 'Retry-After': '10' },
}

/** Steps that some deployments require from a caller before certain operations. */
export const REQUIREMENTS = ['account_proof'] as const
export type Requirement = (typeof REQUIREMENTS)[number]

const REQUIRED_BY: Partial<Record<ErrorCode, Requirement>> = {
  account_not_proven: 'account_proof',
}

/** The body of every answer with a status of 400 or above. */
type ErrorEnvelope = {
  success: false
  error: string
  code: ErrorCode
  requestId: string
  details?: ErrorDetail[]
  requires?: Requirement
}

export const toEnvelope = (error: DomainError, requestId: string): ErrorEnvelope => ({
  success: false,
  error: error.message,
  code: error.code,
  requestId,
  ...(error.details ? { details: error.details } : {}),
  ...requirementOf(error.code),
})

/** Returns the field `requires` of an error's body, or {} if the error code requires no step. */
export const requirementOf = (code: ErrorCode): { requires?: Requirement } => {
  const requires = REQUIRED_BY[code]
  return requires === undefined ? {} : { requires }
}

export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> =>
  HEADERS_OF[code] ?? {}

/** Returns a DomainError unchanged. Any other error becomes `internal`, without its message. */
export const toRefusal = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('internal', 'Something went wrong on our side. It has been logged.')
