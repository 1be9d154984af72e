import { FAILURE_REASONS } from '../../outbox/events.ts'

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
