/** All error codes that this service can return. The HTTP layer maps codes to statuses. */
export type ErrorCode =
  // invalid input
  | 'invalid_request'
  | 'invalid_json'
  | 'invalid_input'
  | 'unknown_parameter'
  | 'invalid_amount'
  | 'invalid_cursor'
  | 'unknown_currency'
  | 'unknown_chain'
  | 'invalid_terms'
  | 'escrow_target_too_high'
  // sign-in and permissions
  | 'unauthenticated'
  | 'invalid_credentials'
  | 'invalid_token'
  | 'invalid_api_key'
  | 'refresh_reused'
  | 'invalid_code'
  | 'invalid_challenge'
  | 'invalid_signature'
  | 'forbidden'
  | 'email_unverified'
  | 'sign_in_again'
  | 'blocked_for_legal_reasons'
  // state of resources
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'email_taken'
  | 'username_taken'
  | 'wallet_taken'
  | 'account_in_use'
  | 'account_required'
  | 'account_not_proven'
  | 'campaign_not_active'
  | 'campaigns_open'
  | 'milestone_not_reached'
  | 'transfer_already_claimed'
  | 'transfer_before_campaign'
  | 'proof_not_ready'
  | 'escrow_unsupported'
  | 'not_escrowed'
  | 'escrow_not_active'
  | 'escrow_failed'
  | 'escrow_expired'
  | 'milestone_not_verified'
  | 'already_released'
  | 'campaign_not_failed'
  | 'refund_root_missing'
  | 'refund_window_open'
  | 'already_refunded'
  | 'too_many_pending'
  | 'conflict'
  // HTTP, limits and webhooks
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_invalid'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'rate_limited'
  | 'too_many_streams'
  | 'webhook_url_refused'
  | 'webhook_limit_reached'
  // failures of the service
  | 'unavailable'
  | 'internal'

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
