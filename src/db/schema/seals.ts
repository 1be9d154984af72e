import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, reference } from '../columns.ts'
import { campaign } from './campaigns.ts'
import { ledgerEntry } from './ledger.ts'

/** A batch of a campaign's ledger entries under one signed head, chained to the batch before it. */
export const ledgerSeal = pgTable(
  'ledger_seal',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    campaignId: reference('campaign_id', () => campaign.id),
    /** Counts a campaign's seals from 1. */
    seq: integer('seq').notNull(),
    version: integer('version').notNull(),
    /** The number of entries in this seal, and in all seals of the campaign up to it. */
    entries: integer('entries').notNull(),
    totalEntries: bigint('total_entries', { mode: 'number' }).notNull(),
    /** Merkle root of the batch's leaves, in the order of their positions. */
    root: text('root').notNull(),
    previousHead: text('previous_head').notNull(),
    head: text('head').notNull(),
    /** The previous head over all campaigns, so that no seal can be cut off unnoticed. */
    previousGlobalHead: text('previous_global_head').notNull(),
    globalHead: text('global_head').notNull(),
    keyId: text('key_id').notNull(),
    signature: text('signature').notNull(),
    sealedAt: moment('sealed_at').notNull(),
  },
  (table) => [uniqueIndex('ledger_seal_key').on(table.campaignId, table.seq)],
)

/** The seal and leaf position of an entry. Entries commit out of the order of their ids. */
export const sealedEntry = pgTable(
  'sealed_entry',
  {
    entryId: bigint('entry_id', { mode: 'number' })
      .primaryKey()
      .references(() => ledgerEntry.id),
    sealId: bigint('seal_id', { mode: 'number' })
      .notNull()
      .references(() => ledgerSeal.id),
    position: integer('position').notNull(),
    leaf: text('leaf').notNull(),
  },
  (table) => [index('sealed_entry_seal').on(table.sealId, table.position)],
)

/** Signing keys of seals; the newest one signs. Old seals need the old keys. */
export const sealKey = pgTable('seal_key', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<{ kty: 'OKP'; crv: 'Ed25519'; x: string }>().notNull(),
  privateSealed: text('private_sealed').notNull(),
  createdAt: moment('created_at').notNull(),
})

export type LedgerSeal = typeof ledgerSeal.$inferSelect
export type SealKey = typeof sealKey.$inferSelect
