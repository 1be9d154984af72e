import type { ErrorCode } from '../../kernel/errors.ts'

const FIX = 'Do not repeat the request unchanged.'

/** What a caller does about each code, for the page of error codes. */
export const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: `Use an HTTP library. ${FIX}`,
  invalid_json: `Write the body with a JSON library, in UTF-8. ${FIX}`,
  invalid_input: 'Correct the fields that `details` names.',
  unknown_parameter:
    'Correct the name, or leave the field out. `details` has the nearest known name.',
  invalid_amount:
    'Send a positive amount, as a text, with at most as many decimals as its asset has.',
  invalid_cursor: 'Read the list again from its beginning, without a cursor.',
  unknown_currency: "Use a currency of the campaign's chain. `GET /api/chains` lists them.",
  unknown_chain: 'Use a chain of `GET /api/chains`.',
  unauthenticated: 'Send `Authorization: Bearer <access token>` or `X-API-Key`.',
  invalid_credentials:
    'Ask the user for the password again. The number of wrong passwords is limited.',
  invalid_token: 'Get new tokens with the refresh token, once. If that fails too, sign in.',
  invalid_api_key: 'Make a new key, in the environment that you call.',
  refresh_reused: 'Sign in again. Let one process refresh at a time, and keep the newest token.',
  invalid_code: 'Ask for a new code, and use it within ten minutes.',
  invalid_challenge: 'Ask for a new challenge, and sign it within ten minutes.',
  invalid_signature: 'Sign the message unchanged, with the wallet that the challenge names.',
  forbidden: 'Act as the owner, or get the scope or the role that the message names.',
  email_unverified: 'Verify the address: `POST /api/auth/request-verification` mails a code.',
  sign_in_again: 'Sign in with the wallet, then repeat the request within ten minutes.',
  blocked_for_legal_reasons:
    'Stop. No other request from this country or with this wallet is served.',
  not_found: 'Check the id, and that the caller may see the resource.',
  route_not_found: 'Check the address and the base address.',
  method_not_allowed: 'Use a method of the header `Allow`.',
  email_taken: 'Sign in, or reset the password.',
  username_taken: 'Choose another name.',
  wallet_taken: 'Unlink the wallet from the other account first.',
  account_in_use: 'Use another account, or end the other campaign first.',
  account_required: 'Name the ledger account, or link a wallet.',
  account_not_proven: 'Sign the message of `GET /api/campaigns/:id/account-proof`, and post it.',
  campaign_not_active: 'Read the campaign: its status says whether it will take donations again.',
  campaigns_open: 'Complete or cancel the campaigns first.',
  milestone_not_reached: 'Wait for `campaign.milestone.reached`.',
  transfer_already_claimed: 'If you sent the money, link the sending wallet or sign with it.',
  transfer_before_campaign: 'Ask the creator: the money is on the account of the campaign.',
  proof_not_ready: 'Wait for `completed`, and as long as `Retry-After` says. Then repeat.',
  too_many_pending: 'Wait until some donations are paid or expire, or cancel some.',
  conflict: 'Read the resource again. The message names the conflict.',
  payload_too_large: 'Send a smaller body, or sign in: then a body may have 256 KiB.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_key_invalid: 'Make a key of printable characters, such as a UUID.',
  idempotency_key_reused:
    'Use a new key for each request, and the same key only to repeat that request.',
  idempotency_in_progress: 'Wait as long as `Retry-After` says, and repeat with the same key.',
  rate_limited:
    'Wait as long as `Retry-After` says, then repeat. `RateLimit` shows the remaining requests.',
  too_many_streams: 'Close a stream, or wait as long as `Retry-After` says.',
  webhook_url_refused: 'Use an https address that can be reached from the internet.',
  webhook_limit_reached: 'Delete an endpoint first.',
  unavailable: 'Wait as long as `Retry-After` says, then repeat, with the same Idempotency-Key.',
  internal:
    'Repeat later, with the same Idempotency-Key. If it fails again, report the `requestId`.',
}
