import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  LEDGER_ACCOUNT_KINDS,
  LEDGER_ENTRY_KINDS,
  type LedgerAccountKind,
  type LedgerEntryKind,
} from '../../kernel/statuses.ts'
import { hex, int64, isOneOf, moment, reference, textReference, units } from '../columns.ts'
import { asset, campaign, milestone } from './campaigns.ts'
import { chainTransfer } from './chains.ts'
import { donation } from './donations.ts'
import { escrowEvent } from './escrow.ts'

/**
 * The accounts of a campaign in the ledger, by kind:
 * - `custody`: the amount of an asset that the campaign's account received (debit-normal).
 * - `unclaimed`: the part of `custody` that no donation was recorded for.
 * - `exchange`: for the conversion of another asset into the campaign's currency.
 * - `held`, `released`: the raised amount, before and after the release of a milestone.
 * - `paid`: the part of `custody` that an escrow paid to the campaign's recipient.
 */
export const ledgerAccount = pgTable(
  'ledger_account',
  {
    id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<LedgerAccountKind>().notNull(),
    campaignId: reference('campaign_id', () => campaign.id),
    assetId: textReference('asset_id', () => asset.id),
  },
  (table) => [
    isOneOf('ledger_account_kind', table.kind, LEDGER_ACCOUNT_KINDS),
    uniqueIndex('ledger_account_key').on(table.campaignId, table.kind, table.assetId),
    unique('ledger_account_asset').on(table.id, table.assetId),
  ],
)

/**
 * A movement: `amount` leaves the credit account and enters the debit account. Both accounts are of
 * the same asset. The service cannot change or delete a row.
 */
export const ledgerEntry = pgTable(
  'ledger_entry',
  {
    id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<LedgerEntryKind>().notNull(),
    debitAccount: int64('debit_account').notNull(),
    creditAccount: int64('credit_account').notNull(),
    assetId: text('asset_id').notNull(),
    amount: units('amount').notNull(),
    campaignId: reference('campaign_id', () => campaign.id),
    donationId: uuid('donation_id').references(() => donation.id),
    transferId: uuid('transfer_id').references(() => chainTransfer.id),
    generation: integer('generation'),
    blockNumber: int64('block_number'),
    blockHash: hex('block_hash'),
    /** The released milestone; null for all kinds except `release`, and for a surplus. */
    milestoneId: uuid('milestone_id').references(() => milestone.id),
    /** The event of an escrow because of which money moved on the chain. */
    escrowEventId: uuid('escrow_event_id').references(() => escrowEvent.id),
    /** The entry that this entry reverses. Null for all kinds except `reversal`. */
    reverses: int64('reverses'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    isOneOf('ledger_entry_kind', table.kind, LEDGER_ENTRY_KINDS),
    check('ledger_entry_amount', sql`${table.amount} > 0`),
    check('ledger_entry_sides', sql`${table.debitAccount} <> ${table.creditAccount}`),
    check(
      'ledger_entry_reverses',
      sql`(${table.kind} = 'reversal') = (${table.reverses} is not null)`,
    ),
    check(
      'ledger_entry_release',
      sql`case when ${table.kind} = 'release' then num_nonnulls(${table.milestoneId}, ${table.escrowEventId}) > 0 else ${table.milestoneId} is null end`,
    ),
    check(
      'ledger_entry_escrow',
      sql`case when ${table.kind} in ('payout','refund') then ${table.escrowEventId} is not null when ${table.kind} in ('release','reversal') then true else ${table.escrowEventId} is null end`,
    ),
    check(
      'ledger_entry_generation',
      sql`${table.escrowEventId} is null or ${table.generation} is not null`,
    ),
    foreignKey({
      name: 'ledger_entry_debit',
      columns: [table.debitAccount, table.assetId],
      foreignColumns: [ledgerAccount.id, ledgerAccount.assetId],
    }),
    foreignKey({
      name: 'ledger_entry_credit',
      columns: [table.creditAccount, table.assetId],
      foreignColumns: [ledgerAccount.id, ledgerAccount.assetId],
    }),
    foreignKey({
      name: 'ledger_entry_reversed',
      columns: [table.reverses],
      foreignColumns: [table.id],
    }),
    // Exactly one credit per transfer. Look-ups of a transfer's entries use the index, too.
    uniqueIndex('ledger_entry_once')
      .on(table.transferId, table.generation, table.kind)
      .where(sql`${table.kind} in ('deposit','donation','conversion')`),
    uniqueIndex('ledger_entry_reversed_once')
      .on(table.reverses)
      .where(sql`${table.reverses} is not null`),
    uniqueIndex('ledger_entry_released_once')
      .on(table.milestoneId)
      .where(sql`${table.escrowEventId} is null and ${table.milestoneId} is not null`),
    // A refund has one entry for each transfer; releases and payouts have no transfer.
    uniqueIndex('ledger_entry_escrow_once')
      .on(
        table.escrowEventId,
        table.generation,
        table.kind,
        sql`coalesce(${table.transferId}, ${table.escrowEventId})`,
      )
      .where(sql`${table.escrowEventId} is not null and ${table.kind} <> 'reversal'`),
    // listEntries, and the sums of a campaign's accounts.
    index('ledger_entry_campaign').on(table.campaignId, table.id),
    // sealedEntriesOf, arrivedOfDonation and checkSince: the entries of a donation.
    index('ledger_entry_donation').on(table.donationId),
  ],
)

export type LedgerAccount = typeof ledgerAccount.$inferSelect
export type LedgerEntry = typeof ledgerEntry.$inferSelect
