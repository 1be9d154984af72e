import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
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
    createdAt: moment('created_at').notNull(),
    relayedAt: moment('relayed_at'),
  },
  (table) => [
    index('event_unrelayed').on(table.seq).where(sql`${table.relayedAt} is null`),
    uniqueIndex('event_seq').on(table.seq),
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
    secretSealed: text('secret_sealed').notNull(),
    status: text('status').notNull().default('active'),
    disabledReason: text('disabled_reason'),
    /** Since when every attempt has failed; null after a success. */
    failingSince: moment('failing_since'),
    createdAt: moment('created_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    check('webhook_endpoint_status', sql`${table.status} in ('active','disabled')`),
    index('webhook_endpoint_user').on(table.userId),
  ],
)

export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => event.id, { onDelete: 'cascade' }),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoint.id, { onDelete: 'cascade' }),
    status: text('status').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at'),
    /** A worker holds it until then; `lease` fences a worker that comes back too late. */
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
    index('webhook_delivery_held')
      .on(table.endpointId, table.leaseUntil)
      .where(sql`${table.lease} is not null`),
  ],
)

export const webhookAttempt = pgTable(
  'webhook_attempt',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => webhookDelivery.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    startedAt: moment('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    statusCode: integer('status_code'),
    errorKind: text('error_kind'),
    responseBody: text('response_body'),
  },
  (table) => [
    primaryKey({ name: 'webhook_attempt_pk', columns: [table.deliveryId, table.number] }),
  ],
)
