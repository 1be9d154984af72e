import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  DECISIONS,
  type Decision,
  IMPACT_STATUSES,
  type ImpactStatus,
  NOTIFICATION_STATUSES,
  type NotificationStatus,
} from '../../kernel/statuses.ts'
import { hex, int64, isOneOf, moment, reference } from '../columns.ts'
import { campaign, milestone } from './campaigns.ts'
import { appUser } from './users.ts'

/** Impact reports of campaigns. Their numbers are stored as JSON, without rounding. */
export const impactMetrics = pgTable(
  'impact_metrics',
  {
    id: uuid('id').primaryKey(),
    campaignId: reference('campaign_id', () => campaign.id),
    reporterId: reference('reporter_id', () => appUser.id),
    category: text('category'),
    metrics: jsonb('metrics').notNull(),
    beneficiaries: jsonb('beneficiaries').$type<{
      direct: number | null
      indirect: number | null
    }>(),
    status: text('status').$type<ImpactStatus>().notNull().default('reported'),
    verifierId: uuid('verifier_id').references(() => appUser.id),
    evidence: jsonb('evidence').notNull().default([]),
    verifiedAt: moment('verified_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    isOneOf('impact_metrics_status', table.status, IMPACT_STATUSES),
    index('impact_metrics_campaign').on(table.campaignId, table.createdAt, table.id),
  ],
)

type Media = { type: string; url: string; caption: string | null }

export const campaignUpdate = pgTable(
  'campaign_update',
  {
    id: uuid('id').primaryKey(),
    campaignId: reference('campaign_id', () => campaign.id),
    authorId: reference('author_id', () => appUser.id),
    type: text('type').notNull(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    media: jsonb('media').$type<Media[]>().notNull().default([]),
    createdAt: moment('created_at').notNull(),
    /** The time of the last change; null if there was no change. */
    updatedAt: moment('updated_at'),
  },
  (table) => [
    index('campaign_update_campaign').on(table.campaignId, table.createdAt, table.id),
    index('campaign_update_newest').on(table.createdAt, table.id),
  ],
)

/** A notification in the user's language. The transaction that causes a notification stores it. */
export const notification = pgTable(
  'notification',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    status: text('status').$type<NotificationStatus>().notNull().default('unread'),
    title: text('title').notNull(),
    message: text('message').notNull(),
    /** The ids that most notifications are about, in half of the space that `data` needs. */
    campaignId: uuid('campaign_id'),
    donationId: uuid('donation_id'),
    /** Other ids that the notification is about, such as `milestoneId`. */
    data: jsonb('data').$type<Record<string, string>>().notNull().default({}),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    isOneOf('notification_status', table.status, NOTIFICATION_STATUSES),
    // listNotifications.
    index('notification_user').on(table.userId, table.createdAt, table.id),
  ],
)

/**
 * A verifier's signed decision on a milestone. A rejection opens a new round, in which all
 * verifiers may decide again. Within a round, an approval may change to a rejection, but a
 * rejection may not change to an approval.
 */
export const milestoneVerification = pgTable(
  'milestone_verification',
  {
    id: uuid('id').primaryKey(),
    milestoneId: reference('milestone_id', () => milestone.id),
    round: integer('round').notNull(),
    /** `completed` means approved. */
    decision: text('decision').$type<Decision>().notNull(),
    evidence: jsonb('evidence').notNull(),
    /** keccak256 of the evidence as canonical JSON (RFC 8785). */
    evidenceHash: hex('evidence_hash').notNull(),
    verifierId: reference('verifier_id', () => appUser.id),
    signer: hex('signer').notNull(),
    signature: text('signature').notNull(),
    method: text('method').notNull(),
    /** The block at which a contract wallet confirmed the signature; null for a key's signature. */
    blockNumber: int64('block_number'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    isOneOf('milestone_verification_decision', table.decision, DECISIONS),
    uniqueIndex('milestone_verification_once').on(
      table.milestoneId,
      table.round,
      table.verifierId,
      table.decision,
    ),
    uniqueIndex('milestone_verification_signer').on(
      table.milestoneId,
      table.round,
      table.signer,
      table.decision,
    ),
  ],
)

export type ImpactMetrics = typeof impactMetrics.$inferSelect
export type CampaignUpdate = typeof campaignUpdate.$inferSelect
export type Notification = typeof notification.$inferSelect
export type MilestoneVerification = typeof milestoneVerification.$inferSelect
