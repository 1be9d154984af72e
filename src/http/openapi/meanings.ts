import type { ErrorCode } from '../../kernel/errors.ts'

/** The meaning of each error code in one sentence. An error's message may be more specific. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is not valid HTTP.',
  invalid_json:
    'The body is not valid JSON in UTF-8, has over 64 levels, or a number of over 100 characters.',
  invalid_input: 'The input is not valid; `details` names the fields.',
  unknown_parameter:
    'A field or query parameter is unknown. `details` names it and the nearest known name.',
  invalid_amount: 'The amount is not positive, too large, or has too many decimals.',
  invalid_cursor: 'The cursor does not come from this service.',
  unknown_currency: 'The currency is unknown.',
  unknown_chain: 'The chain is unknown.',
  unauthenticated: 'No user is signed in.',
  invalid_credentials: 'The user name or the password is wrong.',
  invalid_token: 'The token is not valid, or has expired.',
  invalid_api_key: 'The API key is not valid, has expired, or belongs to the other environment.',
  refresh_reused: 'The refresh token was used before, so its session has ended.',
  invalid_code: 'The code is wrong or no longer valid.',
  invalid_challenge: 'The challenge is unknown, used or expired.',
  invalid_signature: 'The signature does not belong to this account and message.',
  forbidden: 'The caller may not do this.',
  email_unverified: 'The caller must verify their email address first.',
  sign_in_again:
    'The account has no password, so the request needs a sign-in of the last ten minutes.',
  blocked_for_legal_reasons: 'The law forbids us to serve this caller or this wallet.',
  not_found: 'The resource does not exist, or the caller may not see it.',
  route_not_found: 'The address does not exist.',
  method_not_allowed: 'This method is not supported here. `Allow` names the supported methods.',
  email_taken: 'The email address already belongs to an account.',
  username_taken: 'The user name already belongs to an account.',
  wallet_taken: 'The wallet is linked to another account.',
  account_in_use: 'The ledger account serves another open campaign.',
  account_required:
    'No ledger account is named, and the creator has linked no wallet since a password reset.',
  account_not_proven: 'The ledger account has not yet signed that it belongs to the creator.',
  campaign_not_active: 'The campaign takes no donations now.',
  campaigns_open: 'The account has campaigns that are active or funded.',
  milestone_not_reached: 'The campaign does not hold the amount that this milestone needs.',
  transfer_already_claimed: 'The transfer belongs to another donation.',
  transfer_before_campaign: 'The transfer came before its campaign opened.',
  proof_not_ready:
    'The proof is not complete yet, or the donation is not completed. The message says which.',
  too_many_pending:
    'Too many of your donations wait for a transaction or payment that no node has seen.',
  conflict: 'The state of the resource does not allow this.',
  payload_too_large: 'The body is larger than 256 KiB, or than 16 KiB without a token or key.',
  unsupported_media_type: 'The body is not declared as JSON.',
  idempotency_key_invalid: 'The Idempotency-Key is not 1 to 255 printable characters.',
  idempotency_key_reused: 'The Idempotency-Key was used for another request.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  rate_limited: 'Too many requests. Wait as long as Retry-After says.',
  too_many_streams: 'The account or its network has too many open streams or tables.',
  webhook_url_refused: 'Events may not be sent to this address.',
  webhook_limit_reached: 'The account has the highest allowed number of webhook endpoints.',
  unavailable: 'A part of the service does not answer. Try again as Retry-After says.',
  internal: 'Something went wrong on our side. It has been logged.',
}
