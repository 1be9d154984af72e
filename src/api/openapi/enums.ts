import { isDeepStrictEqual } from 'node:util'
import { ROLES } from '../../domain/account/index.ts'
import { DIFFERENCE_KINDS } from '../../domain/blocks/index.ts'
import { DEPOSIT_STATUSES, DONATION_REASONS, PAYMENT_STATES } from '../../domain/donations/index.ts'
import { NOTIFICATION_TYPES } from '../../domain/people/index.ts'
import { REQUIREMENTS, STATUS_OF } from '../../edge/errors.ts'
import { API_SCOPES } from '../../kernel/scopes.ts'
import {
  CAMPAIGN_STATUSES,
  DECISIONS,
  DELIVERY_STATUSES,
  DONATION_STATUSES,
  IMPACT_STATUSES,
  LEDGER_ACCOUNT_KINDS,
  LEDGER_ENTRY_KINDS,
  MILESTONE_STATUSES,
  NOTIFICATION_STATUSES,
} from '../../kernel/statuses.ts'
import {
  EVENT_TYPES,
  FAILURE_REASONS,
  REVERSAL_REASONS,
  SUBSCRIPTIONS,
} from '../../outbox/events.ts'
import { DELIVERY_ERROR_KINDS } from '../../webhooks/delivery-error.ts'

/** Lists of values that later versions may extend. Clients must accept unknown values. */
export const OPEN: Readonly<Record<string, readonly string[]>> = {
  ApiScope: API_SCOPES,
  DeliveryErrorKind: DELIVERY_ERROR_KINDS,
  DifferenceKind: DIFFERENCE_KINDS,
  DonationReason: DONATION_REASONS,
  ErrorCode: Object.keys(STATUS_OF),
  EventType: EVENT_TYPES,
  FailureReason: FAILURE_REASONS,
  LedgerAccountKind: LEDGER_ACCOUNT_KINDS,
  LedgerEntryKind: LEDGER_ENTRY_KINDS,
  NotificationType: NOTIFICATION_TYPES,
  Requirement: REQUIREMENTS,
  ReversalReason: REVERSAL_REASONS,
  Role: ROLES,
  Subscription: SUBSCRIPTIONS,
}

/** Lists of values that have the same schema name everywhere in the document. */
export const ENUMS: Readonly<Record<string, readonly string[]>> = {
  ...OPEN,
  CampaignStatus: CAMPAIGN_STATUSES,
  DeliveryStatus: DELIVERY_STATUSES,
  DepositStatus: DEPOSIT_STATUSES,
  DonationStatus: DONATION_STATUSES,
  ImpactStatus: IMPACT_STATUSES,
  MilestoneStatus: MILESTONE_STATUSES,
  NewCampaignStatus: ['draft', 'active'],
  NotificationStatus: NOTIFICATION_STATUSES,
  PaymentState: PAYMENT_STATES,
  ReplayableStatus: ['exhausted', 'cancelled', 'delivered'],
  SigningKind: ['hmac', 'ed25519'],
  VerificationDecision: DECISIONS,
  WalletMethod: ['ecdsa', 'eip1271', 'eip6492'],
  WebhookDisabledReason: ['gone', 'failing'],
  WebhookStatus: ['active', 'paused', 'disabled'],
}

/** Whether later versions may extend this list of values. */
export const isOpen = (values: unknown): boolean =>
  Object.values(OPEN).some((open) => isDeepStrictEqual(values, open))
