import type { ReversalReason } from '../../../outbox/events.ts'

type Money = { amount: string; currency: string }
type OfCampaign = { campaign: string }
/** The reader of the notification: the donor or the creator. */
type Side = { to: 'donor' | 'creator' }

/**
 * The values in each type of notification. `amount` is decimal text. `campaign` and `milestone` are
 * titles. For a milestone without a title, `milestone` is the description.
 */
export type NotificationValues = {
  donation_completed: Money & OfCampaign & Side
  donation_reversed: Money & OfCampaign & Side & { reason: ReversalReason }
  deposit_unclaimed: Money & OfCampaign
  milestone_reached: OfCampaign & { milestone: string }
  campaign_funded: Money & OfCampaign
  milestone_verified: OfCampaign & { milestone: string }
  milestone_rejected: OfCampaign & { milestone: string }
  release_waiting: OfCampaign & { milestone: string }
  /** For the creator. `amount` is what the escrow holds for the donors. */
  campaign_failed: Money & OfCampaign
  /** For donors. `amount` is the sum of the donor's donations, of which the donor gets a share. */
  refund_ready: Money & OfCampaign
  /**
   * For the donor. `amount` is the amount that was paid back; `receiver` is the account that got
   * the amount, only if verifiers named another account than the sender.
   */
  donation_refunded: Money & OfCampaign & { receiver?: string }
  impact_verified: OfCampaign
  webhook_disabled: { url: string; reason: 'gone' | 'failing' }
}

export type NotificationType = keyof NotificationValues
export type NotificationText = { title: string; message: string }

/** The texts of one language. The type check fails if a notification type is missing. */
export type NotificationTexts = {
  [T in NotificationType]: (values: NotificationValues[T]) => NotificationText
}
