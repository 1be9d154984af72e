import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { hex, int64, moment, reference } from '../columns.ts'
import { campaign } from './campaigns.ts'
import { ledgerEntry } from './ledger.ts'

/** A signed batch of ledger entries of a campaign. `head` is a hash over the seal's content. */
export const ledgerSeal = pgTable(
  'ledger_seal',
  {
    id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
    campaignId: reference('campaign_id', () => campaign.id),
    /** The number of the seal within its campaign, from 1. */
    seq: integer('seq').notNull(),
    version: integer('version').notNull(),
    /** The number of entries in this seal. `totalEntries` includes the campaign's earlier seals. */
    entries: integer('entries').notNull(),
    totalEntries: int64('total_entries').notNull(),
    /** The Merkle root of the hashes of the entries, in the order of their positions. */
    root: hex('root').notNull(),
    previousHead: hex('previous_head').notNull(),
    head: hex('head').notNull(),
    /** The `globalHead` of the previous seal of any campaign. So a check notices a deleted seal. */
    previousGlobalHead: hex('previous_global_head').notNull(),
    globalHead: hex('global_head').notNull(),
    keyId: text('key_id').notNull(),
    signature: text('signature').notNull(),
    sealedAt: moment('sealed_at').notNull(),
  },
  (table) => [
    uniqueIndex('ledger_seal_key').on(table.campaignId, table.seq),
    index('ledger_seal_of_key').on(table.keyId, table.id),
  ],
)

/** The seal of a ledger entry, and the entry's position. Positions may differ from the id order. */
export const sealedEntry = pgTable(
  'sealed_entry',
  {
    entryId: int64('entry_id')
      .primaryKey()
      .references(() => ledgerEntry.id),
    sealId: int64('seal_id')
      .notNull()
      .references(() => ledgerSeal.id),
    position: integer('position').notNull(),
    leaf: hex('leaf').notNull(),
  },
  // readSeals and readWalk: the leaves of a seal, in their order.
  (table) => [index('sealed_entry_seal').on(table.sealId, table.position)],
)

/** Keys that sign seals. The newest key signs; the older keys still verify older seals. */
export const sealKey = pgTable('seal_key', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<{ kty: 'OKP'; crv: 'Ed25519'; x: string }>().notNull(),
  privateSealed: text('private_sealed').notNull(),
  createdAt: moment('created_at').notNull(),
})

/**
 * Signed heads that a worker has kept in a file and that the restored database lacks. Nothing is
 * signed while a row has no `nextKeyId`: the key that signs since the operator has confirmed.
 */
export const lostHead = pgTable('lost_head', {
  globalHead: hex('global_head').primaryKey(),
  /** No foreign key, because the campaign may be lost too. */
  campaignId: uuid('campaign_id').notNull(),
  seq: integer('seq').notNull(),
  head: hex('head').notNull(),
  keyId: text('key_id').notNull(),
  sealedAt: moment('sealed_at').notNull(),
  nextKeyId: text('next_key_id').references(() => sealKey.kid),
})

/** Heads that a worker may never commit. A row is committed before the head is kept in a file. */
export const sealIntent = pgTable('seal_intent', { id: uuid('id').primaryKey() })

export type LedgerSeal = typeof ledgerSeal.$inferSelect
export type SealKey = typeof sealKey.$inferSelect
export type LostHead = typeof lostHead.$inferSelect
