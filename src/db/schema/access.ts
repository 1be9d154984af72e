import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { SignatureProof } from '../../kernel/ports/signatures.ts'
import type { ApiScope } from '../../kernel/scopes.ts'
import { hasBytes, hex, int64, isOneOf, moment, reference } from '../columns.ts'
import { campaign } from './campaigns.ts'
import { chainTransfer } from './chains.ts'
import { appUser } from './users.ts'

/** API keys. A key acts as its owner, within its scopes. Only the SHA-256 of a key is stored. */
export const apiKey = pgTable(
  'api_key',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull().unique('api_key_hash'),
    /** The last four characters of the key, by which the owner recognises it. */
    lastFour: text('last_four').notNull(),
    scopes: text('scopes').$type<ApiScope>().array().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [index('api_key_user').on(table.userId)],
)

/** A wallet that its user has proven to hold (EIP-4361). */
export const wallet = pgTable(
  'wallet',
  {
    id: uuid('id').primaryKey(),
    userId: reference('user_id', () => appUser.id, { onDelete: 'cascade' }),
    address: hex('address').notNull(),
    /** The chain of the proof. A contract wallet counts as proven on this chain only. */
    chainId: int64('chain_id').notNull(),
    method: text('method').$type<SignatureProof['method']>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** True if the wallet was linked before a password reset. New campaigns refuse this wallet. */
    beforeReset: boolean('before_reset').notNull().default(false),
  },
  (table) => [
    uniqueIndex('wallet_address').on(table.address),
    index('wallet_user').on(table.userId),
    hasBytes('wallet_address_form', table.address, 20),
  ],
)

/** A message that a wallet signs once, for one purpose. */
export const signatureChallenge = pgTable(
  'signature_challenge',
  {
    nonce: text('nonce').primaryKey(),
    /** Null for a sign-in, because the user is not known before the signature is checked. */
    userId: uuid('user_id').references(() => appUser.id, { onDelete: 'cascade' }),
    purpose: text('purpose').notNull(),
    address: hex('address').notNull(),
    chainId: int64('chain_id').notNull(),
    campaignId: uuid('campaign_id').references(() => campaign.id),
    /** The deposit that the signature claims; null for all other purposes. */
    transferId: uuid('transfer_id').references(() => chainTransfer.id),
    message: text('message').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [
    isOneOf('signature_challenge_purpose', table.purpose, [
      'link_wallet',
      'campaign_account',
      'claim_deposit',
      'sign_in',
    ]),
    check(
      'signature_challenge_user',
      sql`(${table.userId} is null) = (${table.purpose} = 'sign_in')`,
    ),
    index('signature_challenge_expiry').on(table.expiresAt),
  ],
)

/** Counts a caller's requests per time window. The table is unlogged: a crash empties the table. */
export const rateLimit = pgTable(
  'rate_limit',
  {
    /** A hash of the caller, so that no address or name is stored. */
    key: text('key').notNull(),
    /** Milliseconds since 1970. A future time with `taken` 0 marks a successful sign-in. */
    windowStart: int64('window_start').notNull(),
    taken: integer('taken').notNull(),
  },
  (table) => [
    primaryKey({ name: 'rate_limit_pk', columns: [table.key, table.windowStart] }),
    index('rate_limit_window').on(table.windowStart),
  ],
)

export type ApiKey = typeof apiKey.$inferSelect
export type Wallet = typeof wallet.$inferSelect
export type SignatureChallenge = typeof signatureChallenge.$inferSelect
export type RateLimit = typeof rateLimit.$inferSelect
