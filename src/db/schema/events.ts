import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DeliveryStatus, EndpointStatus } from '../../kernel/statuses.ts'
import { moment, reference, transactionId } from '../columns.ts'
import { appUser } from './users.ts'

/** Events, written in the transaction of their cause. `body` is sent byte for byte. */
export const event = pgTable(
  'event',
  {
    id: uuid('id').primaryKey(),
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').notNull(),
    campaignId: uuid('campaign_id'),
    /** The users who may see it. Administrators see all events. */
    audience: uuid('audience').array().notNull(),
    body: text('body').notNull(),
    requestId: text('request_id'),
    /** W3C Trace Context of the cause, which the deliveries continue. */
    traceParent: text('trace_parent'),
    /** The writing transaction. The feed reads only events before every running transaction. */
    tx: transactionId('tx').notNull().default(sql`pg_current_xact_id()`),
    /** A test event, sent to one endpoint at its owner's request. */
    test: boolean('test').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    /** The time at which all its deliveries were written. */
    relayedAt: moment('relayed_at'),
  },
  (table) => [
    index('event_unrelayed').on(table.seq).where(sql`${table.relayedAt} is null`),
    index('event_unrelayed_campaign')
      .on(table.campaignId, table.seq)
      .where(sql`${table.relayedAt} is null`),
    uniqueIndex('event_seq').on(table.seq),
    index('event_feed').on(table.tx, table.seq),
  ],
)

/**
 * The users who may see an event, one row each, in the order of the feed, so that a user's page is
 * one range of this key. Written and deleted with the event; test events have no rows.
 */
export const eventAudience = pgTable(
  'event_audience',
  {
    userId: uuid('user_id').notNull(),
    tx: transactionId('tx').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'event_audience_pk', columns: [table.userId, table.tx, table.seq] }),
  ],
)

export const webhookEndpoint = pgTable(
  'webhook_endpoint',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    description: text('description'),
    events: text('events').array().notNull(),
    /** `hmac` (v1, a shared secret) or `ed25519` (v1a, a key pair) of Standard Webhooks. */
    signing: text('signing').$type<'hmac' | 'ed25519'>().notNull().default('hmac'),
    /** The secret (`whsec_`) or the private key (`whsk_`), sealed. */
    secretSealed: text('secret_sealed').notNull(),
    /** The public half of a key pair (`whpk_`); null for a shared secret. */
    publicKey: text('public_key'),
    /** After a rotation both keys sign until then. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    /** Additional request headers, sealed because they often carry a token. */
    headersSealed: text('headers_sealed'),
    /** Deliveries per minute; null for no limit. */
    ratePerMinute: integer('rate_per_minute'),
    /** The time from which the limit allows the next delivery. */
    nextSlotAt: moment('next_slot_at'),
    /** One delivery per campaign at a time, in the order of the events. */
    ordered: boolean('ordered').notNull().default(false),
    status: text('status').$type<EndpointStatus>().notNull().default('active'),
    /** `gone`: it answered 410. `failing`: no delivery has succeeded for five days. */
    disabledReason: text('disabled_reason').$type<'gone' | 'failing'>(),
    /** Created or last changed with administrator's rights. */
    setByAdmin: boolean('set_by_admin').notNull().default(false),
    /** The time since when every attempt has failed; null after a success. */
    failingSince: moment('failing_since'),
    /** The first 2xx of this address. Before, the endpoint gets few requests a minute. */
    answeredAt: moment('answered_at'),
    /** The hour for which replays are counted, and their number. */
    replayHour: moment('replay_hour'),
    replays: integer('replays').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    check('webhook_endpoint_signing', sql`${table.signing} in ('hmac','ed25519')`),
    check('webhook_endpoint_status', sql`${table.status} in ('active','paused','disabled')`),
    index('webhook_endpoint_user').on(table.userId),
    index('webhook_endpoint_by_admin').on(table.userId).where(sql`${table.setByAdmin}`),
  ],
)

/**
 * An event for an endpoint, with its newest attempts. It has no foreign keys, because their checks
 * take half as long as the rest of the insert. Endpoints are never deleted, and `pruneEvents`
 * deletes events with their deliveries.
 */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    /** Type, campaign and number of its event, for lists and for ordered endpoints. */
    eventType: text('event_type').notNull(),
    campaignId: uuid('campaign_id'),
    eventSeq: bigint('event_seq', { mode: 'number' }).notNull(),
    status: text('status').$type<DeliveryStatus>().notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** Attempts since it was created or resent: its position in the retry schedule. */
    scheduleAttempts: integer('schedule_attempts').notNull().default(0),
    /** The newest attempts, newest first, as StoredAttempt. */
    attemptLog: jsonb('attempt_log').notNull().default([]),
    nextAttemptAt: moment('next_attempt_at'),
    /** A worker's lease, by the database's clock. `lease` is the fencing token. */
    leaseUntil: moment('lease_until'),
    lease: uuid('lease'),
    deliveredAt: moment('delivered_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    check(
      'webhook_delivery_status',
      sql`${table.status} in ('pending','delivered','exhausted','cancelled')`,
    ),
    uniqueIndex('webhook_delivery_once').on(table.eventId, table.endpointId),
    index('webhook_delivery_due')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`${table.status} = 'pending'`),
    /** The oldest delivery of each campaign, for ordered endpoints. */
    index('webhook_delivery_order')
      .on(table.endpointId, table.campaignId, table.eventSeq)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_delivery_newest').on(table.endpointId, table.createdAt, table.id),
    index('webhook_delivery_type').on(table.endpointId, table.eventType, table.createdAt, table.id),
    /** For lists by status. Nearly all deliveries are `delivered`, and have no entry here. */
    index('webhook_delivery_undelivered')
      .on(table.endpointId, table.status, table.createdAt, table.id)
      .where(sql`${table.status} <> 'delivered'`),
    index('webhook_delivery_held')
      .on(table.endpointId, table.leaseUntil)
      .where(sql`${table.lease} is not null`),
  ],
)

export type Event = typeof event.$inferSelect
export type WebhookEndpoint = typeof webhookEndpoint.$inferSelect
export type WebhookDelivery = typeof webhookDelivery.$inferSelect
