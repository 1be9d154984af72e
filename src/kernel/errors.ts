/** All error codes that this service can return, with the HTTP status of their answers. */
export const STATUS_OF = {
  // invalid input
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
  // sign-in and permissions
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
  // state of resources
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
  refund_by_verifiers: 409,
  already_refunded: 409,
  too_many_pending: 409,
  conflict: 409,
  // HTTP, limits and webhooks
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_invalid: 400,
  idempotency_key_reused: 422,
  idempotency_in_progress: 409,
  rate_limited: 429,
  too_many_streams: 429,
  webhook_url_refused: 400,
  webhook_limit_reached: 409,
  // failures of the service
  unavailable: 503,
  internal: 500,
} satisfies Record<string, number>
export type ErrorCode = keyof typeof STATUS_OF

/** A rejected field. `path` is its name, with dots (`donor.name`), or `''` for the whole body. */
export type ErrorDetail = { path: string; message: string }

/** An error with a stable code and one plain sentence that is safe to show to any caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined

  constructor(code: ErrorCode, message: string, details?: ErrorDetail[]) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Runs `work`. If `work` throws a DomainError without details, adds a detail with `path`. */
export const inField = <T>(path: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.details) throw error
    throw new DomainError(error.code, error.message, [{ path, message: error.message }])
  }
}

/** An error in the settings or the environment. The service prints its message and ends. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The message of a thrown value. Only for logs, because API clients must not see internals. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
