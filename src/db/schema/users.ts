import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment, reference } from '../columns.ts'

export const appUser = pgTable(
  'app_user',
  {
    id: uuid('id').primaryKey(),
    /** A user who signs up with a wallet has no `email` and no `passwordHash`: both are null. */
    email: text('email').unique('app_user_email'),
    username: text('username').notNull(),
    passwordHash: text('password_hash'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    lang: text('lang').notNull().default('en'),
    profile: jsonb('profile').$type<Record<string, unknown>>().notNull().default({}),
    roles: text('roles').array().notNull().default(sql`'{}'`),
    emailVerifiedAt: moment('email_verified_at'),
    createdAt: moment('created_at').notNull(),
    /** A deleted user keeps a row without personal data, because donations refer to the row. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    uniqueIndex('app_user_username').on(sql`lower(${table.username})`),
    index('app_user_admin').on(table.id).where(sql`'admin' = any(${table.roles})`),
  ],
)

/**
 * A session of a signed-in user. A session of the API has refresh tokens, which rotate (RFC 9700,
 * section 4.14.2). A session of a page has the hash of a cookie instead.
 */
export const session = pgTable(
  'session',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    revokedReason: text('revoked_reason'),
    /** The `User-Agent` header of the request that signed in. */
    userAgent: text('user_agent'),
    cookieHash: text('cookie_hash').unique('session_cookie'),
  },
  (table) => [
    index('session_user').on(table.userId),
    // The API processes poll this index every two seconds.
    index('session_revoked').on(table.revokedAt).where(sql`${table.revokedAt} is not null`),
  ],
)

export const refreshToken = pgTable(
  'refresh_token',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionId: reference('session_id', () => session.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('refresh_token_session').on(table.sessionId)],
)

/** Six-digit codes sent by mail. Only a keyed hash of a code is stored. */
export const emailCode = pgTable(
  'email_code',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    purpose: text('purpose').notNull(),
    codeHash: text('code_hash').notNull(),
    attemptsLeft: integer('attempts_left').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('email_code_user').on(table.userId, table.purpose, table.createdAt)],
)

/** Keys of access tokens. Private keys are encrypted. Retired keys still verify older tokens. */
export const signingKey = pgTable('signing_key', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<{ kty: string; crv: string; x: string }>().notNull(),
  privateSealed: text('private_sealed').notNull(),
  createdAt: moment('created_at').notNull(),
  retiredAt: moment('retired_at'),
})

/** Mails to send and sent mails. The encrypted content is deleted when the mail is sent. */
export const mail = pgTable(
  'mail',
  {
    id: uuid('id').primaryKey(),
    toAddress: text('to_address').notNull(),
    lang: text('lang').notNull(),
    template: text('template').notNull(),
    valuesSealed: text('values_sealed'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at'),
    sentAt: moment('sent_at'),
    failedReason: text('failed_reason'),
    requestId: text('request_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('mail_address').on(table.toAddress, table.createdAt),
    index('mail_due').on(table.nextAttemptAt).where(sql`${table.nextAttemptAt} is not null`),
  ],
)

/** The stored response for each idempotency key of a caller. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    location: text('location'),
    body: text('body'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('idempotency_key_caller').on(table.caller, table.key),
    index('idempotency_key_expiry').on(table.expiresAt),
  ],
)

export type AppUser = typeof appUser.$inferSelect
export type Session = typeof session.$inferSelect
export type EmailCode = typeof emailCode.$inferSelect
export type SigningKey = typeof signingKey.$inferSelect
export type Mail = typeof mail.$inferSelect
export type IdempotencyKey = typeof idempotencyKey.$inferSelect
