import type { ErrorCode } from '../../kernel/errors.ts'

/** What each code means, in one sentence; the sentence of an answer may say more. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is not valid HTTP.',
  invalid_json:
    'The body is not valid JSON in UTF-8, has over 64 levels, or a number of over 100 characters.',
  invalid_input: 'The input is not valid; `details` names the fields.',
  unknown_parameter:
    'A field or query parameter is not known here; `details` names it and the nearest known one.',
  invalid_amount: 'The amount is not one that its currency can hold.',
  invalid_cursor: 'The cursor is not one that this service gave out.',
  unknown_currency: 'The currency is not known here.',
  unknown_chain: 'The chain is not known here.',
  unauthenticated: 'No user is signed in.',
  invalid_credentials: 'The user name or the password is wrong.',
  invalid_token: 'The token is not valid, or no longer.',
  invalid_api_key: 'The API key is not valid, has expired, or belongs to the other environment.',
  refresh_reused: 'The refresh token was used before, so its session has been ended.',
  invalid_code: 'The code is wrong or no longer valid.',
  invalid_challenge: 'The challenge is unknown, used or expired.',
  invalid_signature: 'The signature is not one of that account under that message.',
  forbidden: 'The caller may not do this.',
  email_unverified: 'The caller has to verify their email address first.',
  sign_in_again:
    'The account has no password, so a sign-in of the last ten minutes has to stand for it.',
  blocked_for_legal_reasons: 'The law forbids us to serve this caller or this wallet.',
  not_found: 'There is nothing by this id that the caller may see.',
  route_not_found: 'There is nothing at this address.',
  method_not_allowed: 'The address does not know this method; `Allow` names those that it knows.',
  email_taken: 'The email address belongs to an account already.',
  username_taken: 'The user name belongs to an account already.',
  wallet_taken: 'The wallet is linked to another account.',
  account_in_use: 'The ledger account serves another open campaign.',
  account_required:
    'No ledger account is named, and the creator has linked no wallet since a password reset.',
  account_not_proven: "The ledger account has not signed yet that it is the creator's.",
  campaign_not_active: 'The campaign takes no donations now.',
  campaigns_open: 'The account has campaigns that are active or funded.',
  milestone_not_reached: 'The campaign does not hold what this milestone needs.',
  transfer_already_claimed: 'The transfer belongs to another donation.',
  transfer_before_campaign: 'The transfer came before its campaign opened.',
  proof_not_ready:
    'The proof is not complete yet, or the donation is not completed; the sentence says which.',
  too_many_pending:
    'Too many of your donations wait for a transaction or a payment that was never seen.',
  conflict: 'The state of the resource does not allow this.',
  payload_too_large: 'The body is larger than 256 KiB, or than 16 KiB without a token or key.',
  unsupported_media_type: 'The body is not declared as JSON.',
  idempotency_key_invalid: 'The Idempotency-Key is not 1 to 255 printable characters.',
  idempotency_key_reused: 'The Idempotency-Key was used for another request.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  rate_limited: 'Too many requests: wait as long as Retry-After says.',
  too_many_streams: 'The account or its network has as many streams or tables open as it may have.',
  webhook_url_refused: 'The address is not one that events may be sent to.',
  webhook_limit_reached: 'The account has as many webhook endpoints as it may have.',
  unavailable: 'Something that is needed does not answer: try again as Retry-After says.',
  internal: 'Something went wrong on our side. It has been logged.',
}
