/** All statuses and kinds, with the names that the database and the API use. */

export const CAMPAIGN_STATUSES = [
  'draft',
  'active',
  'funded',
  'completed',
  'cancelled',
  'failed',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

export const MILESTONE_STATUSES = [
  'pending',
  'reached',
  'verified',
  'released',
  'rejected',
] as const
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number]

export const DONATION_STATUSES = [
  'pending',
  'confirming',
  'completed',
  'failed',
  'expired',
  'reversed',
  'partly_refunded',
  'refunded',
] as const
export type DonationStatus = (typeof DONATION_STATUSES)[number]

/** The statuses of a donation with a credit. An escrow may have refunded a part of it, or all. */
export const CREDITED_STATUSES = ['completed', 'partly_refunded', 'refunded'] as const
export const isCreditedStatus = (status: DonationStatus): boolean =>
  (CREDITED_STATUSES as readonly DonationStatus[]).includes(status)

export const LEDGER_ACCOUNT_KINDS = [
  'custody',
  'unclaimed',
  'exchange',
  'held',
  'released',
  'paid',
] as const
export type LedgerAccountKind = (typeof LEDGER_ACCOUNT_KINDS)[number]

export const LEDGER_ENTRY_KINDS = [
  'deposit',
  'donation',
  'conversion',
  'reversal',
  'release',
  'payout',
  'refund',
] as const
export type LedgerEntryKind = (typeof LEDGER_ENTRY_KINDS)[number]

export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const NOTIFICATION_STATUSES = ['unread', 'read', 'archived', 'deleted'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]

export const IMPACT_STATUSES = ['reported', 'verified'] as const
export type ImpactStatus = (typeof IMPACT_STATUSES)[number]

/** A verifier's decision on a milestone. `completed` means approved. */
export const DECISIONS = ['completed', 'rejected'] as const
export type Decision = (typeof DECISIONS)[number]

/** The events of an escrow contract that the service stores, by their names in Solidity. */
export const ESCROW_EVENT_KINDS = [
  'Donated',
  'Activated',
  'MilestoneRejected',
  'MilestoneReleased',
  'SurplusReleased',
  'Failed',
  'Refunded',
  'TransferReturned',
] as const
export type EscrowEventKind = (typeof ESCROW_EVENT_KINDS)[number]

/**
 * Why an escrow gives money back, in the order of the contract's `Reason`. With `surplus`, all
 * milestones are released, and donors get what is left.
 */
export const ESCROW_FAILURES = [
  'surplus',
  'target_missed',
  'expired',
  'cancelled',
  'terminated',
] as const
export type EscrowFailure = (typeof ESCROW_FAILURES)[number]
