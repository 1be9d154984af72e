import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  ENDPOINT_STATUSES,
  type EndpointStatus,
} from '../../kernel/statuses.ts'
import { int64, isOneOf, moment, reference, transactionId } from '../columns.ts'
import { appUser } from './users.ts'

/**
 * Events. The transaction that causes an event also stores the event. No column changes later.
 * Webhooks send `event.body`, which the SQL function `body` makes from `packed`.
 */
export const event = pgTable(
  'event',
  {
    id: uuid('id').primaryKey(),
    seq: int64('seq').notNull().generatedAlwaysAsIdentity(),
    type: text('type').notNull(),
    campaignId: uuid('campaign_id'),
    /** The users who may see the event. Administrators see all events. */
    audience: uuid('audience').array().notNull(),
    /** The body, shortened by `packBody`. */
    packed: text('packed').notNull(),
    requestId: text('request_id'),
    /** The W3C `traceparent` of the cause of the event. The deliveries continue this trace. */
    traceParent: text('trace_parent'),
    /** The writing transaction. The feed shows the event after all earlier transactions end. */
    tx: transactionId('tx').notNull().default(sql`pg_current_xact_id()`),
    /** True for a test event, sent to one endpoint because the endpoint's owner asked for it. */
    test: boolean('test').notNull().default(false),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    // oldestEvents and readFeed: the events of some numbers. pruneEvents: the oldest events.
    uniqueIndex('event_seq').on(table.seq),
    // readFeed of an administrator, and the event tail.
    index('event_feed').on(table.tx, table.seq),
  ],
)

/**
 * The events without deliveries. The transaction that writes the deliveries of an event deletes its
 * row. A table of its own, because an update of the event would write the whole event again.
 */
export const unrelayedEvent = pgTable(
  'unrelayed_event',
  {
    seq: int64('seq').primaryKey(),
    campaignId: uuid('campaign_id'),
  },
  // firstInOrder: earlier events of a campaign, for ordered endpoints.
  (table) => [index('unrelayed_event_campaign').on(table.campaignId, table.seq)],
)

/**
 * Has a row for each user who may see an event, but no row for test events. The key has the order
 * of the feed, so a page of a user's feed is one range of the key.
 */
export const eventAudience = pgTable(
  'event_audience',
  {
    userId: uuid('user_id').notNull(),
    tx: transactionId('tx').notNull(),
    seq: int64('seq').notNull(),
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
    /** The scheme of Standard Webhooks: `hmac` (v1, shared secret) or `ed25519` (v1a, key pair). */
    signing: text('signing').$type<'hmac' | 'ed25519'>().notNull().default('hmac'),
    /** The shared secret (`whsec_`) or the private key (`whsk_`), encrypted. */
    secretSealed: text('secret_sealed').notNull(),
    /** The public key (`whpk_`); null for a shared secret. */
    publicKey: text('public_key'),
    /** The key before the last rotation. Both keys sign until `previousSecretUntil`. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    /** Additional request headers, encrypted because they often contain a token. */
    headersSealed: text('headers_sealed'),
    /** The highest number of deliveries per minute; null for no limit. */
    ratePerMinute: integer('rate_per_minute'),
    /** From this time on, `ratePerMinute` allows the next delivery. */
    nextSlotAt: moment('next_slot_at'),
    /** Whether deliveries of a campaign are sent one at a time, in the order of its events. */
    ordered: boolean('ordered').notNull().default(false),
    status: text('status').$type<EndpointStatus>().notNull().default('active'),
    /** `gone`: the endpoint answered 410. `failing`: no delivery has succeeded for five days. */
    disabledReason: text('disabled_reason').$type<'gone' | 'failing'>(),
    /** Whether the owner was an administrator when the owner last changed the endpoint. */
    setByAdmin: boolean('set_by_admin').notNull().default(false),
    /** Since this time every attempt has failed; null after a success. */
    failingSince: moment('failing_since'),
    /** When the URL first answered 2xx. Until then, the endpoint gets few requests per minute. */
    answeredAt: moment('answered_at'),
    /** The hour of the last replay. `replays` is the number of replays in this hour. */
    replayHour: moment('replay_hour'),
    replays: integer('replays').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    isOneOf('webhook_endpoint_signing', table.signing, ['hmac', 'ed25519']),
    isOneOf('webhook_endpoint_status', table.status, ENDPOINT_STATUSES),
    index('webhook_endpoint_user').on(table.userId),
    index('webhook_endpoint_by_admin').on(table.userId).where(sql`${table.setByAdmin}`),
  ],
)

/**
 * The delivery of an event to an endpoint. The table has no foreign keys, because their checks
 * would make inserts slow. Endpoint rows are never deleted, and `pruneEvents` deletes events
 * together with their deliveries.
 */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    /** Type, campaign and `seq` of the event, for lists and for ordered endpoints. */
    eventType: text('event_type').notNull(),
    campaignId: uuid('campaign_id'),
    eventSeq: int64('event_seq').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** Attempts since the delivery was created or resent. More attempts mean a longer pause. */
    scheduleAttempts: integer('schedule_attempts').notNull().default(0),
    /** The latest attempts, newest first. Each attempt has the type `StoredAttempt`. */
    attemptLog: jsonb('attempt_log').notNull().default([]),
    nextAttemptAt: moment('next_attempt_at'),
    /** The end of a worker's lease, by the database's clock. `lease` is the id of this lease. */
    leaseUntil: moment('lease_until'),
    lease: uuid('lease'),
    deliveredAt: moment('delivered_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    isOneOf('webhook_delivery_status', table.status, DELIVERY_STATUSES),
    // An event is delivered once to an endpoint. pruneEvents: the deliveries of an event.
    uniqueIndex('webhook_delivery_once').on(table.eventId, table.endpointId),
    // waitingEndpoints and dueDeliveries.
    index('webhook_delivery_due')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`${table.status} = 'pending'`),
    /** Finds the oldest pending delivery of each campaign, for ordered endpoints. */
    index('webhook_delivery_order')
      .on(table.endpointId, table.campaignId, table.eventSeq)
      .where(sql`${table.status} = 'pending'`),
    // listDeliveries and replayDeliveries, which merge two halves: nearly all deliveries have the
    // type `donation.completed`. For lists of another type, the other half has a second index.
    index('webhook_delivery_completed')
      .on(table.endpointId, table.createdAt, table.id)
      .where(sql`${table.eventType} = 'donation.completed'`),
    index('webhook_delivery_other')
      .on(table.endpointId, table.createdAt, table.id)
      .where(sql`${table.eventType} <> 'donation.completed'`),
    index('webhook_delivery_type')
      .on(table.endpointId, table.eventType, table.createdAt, table.id)
      .where(sql`${table.eventType} <> 'donation.completed'`),
    /** For lists by status. Leaves out `delivered`, the status of nearly all deliveries. */
    index('webhook_delivery_undelivered')
      .on(table.endpointId, table.status, table.createdAt, table.id)
      .where(sql`${table.status} <> 'delivered'`),
    // ableEndpoints: the deliveries in flight.
    index('webhook_delivery_held')
      .on(table.endpointId, table.leaseUntil)
      .where(sql`${table.lease} is not null`),
  ],
)

export type Event = typeof event.$inferSelect
export type WebhookEndpoint = typeof webhookEndpoint.$inferSelect
export type WebhookDelivery = typeof webhookDelivery.$inferSelect
