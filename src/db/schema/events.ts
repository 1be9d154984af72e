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
import { moment, transactionId } from '../columns.ts'
import { appUser } from './users.ts'

/** What happened, written in the transaction that made it happen. `body` is sent byte for byte. */
export const event = pgTable(
  'event',
  {
    id: uuid('id').primaryKey(),
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').notNull(),
    campaignId: uuid('campaign_id'),
    /** The users whom it concerns; admins see every event. */
    audience: uuid('audience').array().notNull(),
    body: text('body').notNull(),
    requestId: text('request_id'),
    /** W3C Trace Context of what caused it, for the deliveries to go on with. */
    traceParent: text('trace_parent'),
    /** Which transaction wrote it: the feed reads only what no running transaction can precede. */
    tx: transactionId('tx').notNull().default(sql`pg_current_xact_id()`),
    /** Sent to one endpoint on its owner's wish; nothing happened. */
    test: boolean('test').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    /** When every endpoint that wants it had a delivery. */
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
 * Whom an event concerns, one row each, in the order of the feed: a user's page is one range of
 * this key, however many events others have. Written and removed with its event; test events have none.
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
    userId: uuid('user_id')
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    description: text('description'),
    events: text('events').array().notNull(),
    /** `hmac` (v1, a shared secret) or `ed25519` (v1a, a key pair): Standard Webhooks, "Signature scheme". */
    signing: text('signing').notNull().default('hmac'),
    /** The secret (`whsec_`) or the private key (`whsk_`), sealed. */
    secretSealed: text('secret_sealed').notNull(),
    /** Of a key pair (`whpk_`); null for a shared secret. */
    publicKey: text('public_key'),
    /** After a rotation both sign until then. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    /** Further headers of each request, sealed: they often carry a token. */
    headersSealed: text('headers_sealed'),
    /** Deliveries a minute; null is without limit. */
    ratePerMinute: integer('rate_per_minute'),
    /** When the limit lets the next delivery out. */
    nextSlotAt: moment('next_slot_at'),
    /** One delivery of a campaign at a time, in the order of its events. */
    ordered: boolean('ordered').notNull().default(false),
    status: text('status').notNull().default('active'),
    disabledReason: text('disabled_reason'),
    /** An actor with administrator's rights made it, or changed it last. */
    setByAdmin: boolean('set_by_admin').notNull().default(false),
    /** Since when every attempt has failed; null after a success. */
    failingSince: moment('failing_since'),
    /** The first 2xx from this address. Until then the endpoint gets few requests a minute. */
    answeredAt: moment('answered_at'),
    /** The hour whose replays are counted, and their number. */
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
 * An event for an endpoint, with its newest attempts. It has no foreign keys, because checking them
 * takes half as long as all else of recording it: endpoints are never removed, and `pruneEvents`
 * removes events with their deliveries.
 */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    /** Type, campaign and number of its event, for lists and for endpoints that want order. */
    eventType: text('event_type').notNull(),
    campaignId: uuid('campaign_id'),
    eventSeq: bigint('event_seq', { mode: 'number' }).notNull(),
    status: text('status').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** Attempts since it was made or sent again: its position in the retry schedule. */
    scheduleAttempts: integer('schedule_attempts').notNull().default(0),
    /** The newest attempts, newest first: see StoredAttempt. */
    attemptLog: jsonb('attempt_log').notNull().default([]),
    nextAttemptAt: moment('next_attempt_at'),
    /** A worker holds it until then, by the database's clock; `lease` fences a late worker. */
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
    /** The oldest of each campaign, for endpoints that want them in order. */
    index('webhook_delivery_order')
      .on(table.endpointId, table.campaignId, table.eventSeq)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_delivery_newest').on(table.endpointId, table.createdAt, table.id),
    index('webhook_delivery_type').on(table.endpointId, table.eventType, table.createdAt, table.id),
    /** For lists by status: nearly all deliveries are `delivered`, and have no entry here. */
    index('webhook_delivery_undelivered')
      .on(table.endpointId, table.status, table.createdAt, table.id)
      .where(sql`${table.status} <> 'delivered'`),
    index('webhook_delivery_held')
      .on(table.endpointId, table.leaseUntil)
      .where(sql`${table.lease} is not null`),
  ],
)
