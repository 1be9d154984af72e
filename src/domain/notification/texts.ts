import type { ReversalReason } from '../../outbox/events.ts'

type Money = { amount: string; currency: string }
type OfCampaign = { campaign: string }
/** Who reads it: the donor or the creator. */
type Side = { to: 'donor' | 'creator' }

/**
 * What each notification says, apart from its words. `amount` is decimal text, `campaign` and
 * `milestone` are titles (a milestone without one: its description), shortened when written.
 */
export type NotificationValues = {
  donation_completed: Money & OfCampaign & Side
  donation_reversed: Money & OfCampaign & Side & { reason: ReversalReason }
  deposit_unclaimed: Money & OfCampaign
  milestone_reached: OfCampaign & { milestone: string }
  campaign_funded: Money & OfCampaign
  milestone_verified: OfCampaign & { milestone: string }
  milestone_rejected: OfCampaign & { milestone: string }
  impact_verified: OfCampaign
  webhook_disabled: { url: string; reason: 'gone' | 'failing' }
}

export type NotificationType = keyof NotificationValues
export type NotificationText = { title: string; message: string }

/** One language: every notification, or the type check fails. */
export type NotificationTexts = {
  [T in NotificationType]: (values: NotificationValues[T]) => NotificationText
}
