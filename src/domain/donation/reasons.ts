/** Why a donation failed. */
export const FAILURE_REASONS = [
  'transaction_reverted',
  'wrong_recipient',
  'unknown_token',
  'no_such_transfer',
  'ledger_address_mismatch',
  'transfer_before_campaign',
  'transfer_already_claimed',
  'block_unsupported',
  'returned_in_transaction',
  'transaction_replaced',
  'moved_to_wallet_owner',
  'moved_to_account',
  'cancelled',
] as const

/** Why a donation is not completed: what it waits for, how it ended, or will once that is final. */
export const DONATION_REASONS = [
  'waiting_for_transaction',
  'waiting_for_payment',
  'waiting_for_finality',
  'node_unavailable',
  'node_disbelieved',
  'internal_payment_unproven',
  'replacement_not_found',
  'price_unavailable',
  'price_stale',
  'sequencer_down',
  ...FAILURE_REASONS,
  'never_seen',
  'payment_not_received',
  'another_intent_paid',
  'reorganised',
] as const
