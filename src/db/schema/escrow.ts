import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { EscrowEvent, EscrowFields } from '../../kernel/escrow-event.ts'
import { ESCROW_EVENT_KINDS, type EscrowEventKind } from '../../kernel/statuses.ts'
import { hex, int64, isOneOf, moment, reference } from '../columns.ts'
import { campaign } from './campaigns.ts'

/** The escrow of a campaign. The campaign's `account` is the address of the escrow contract. */
export const campaignEscrow = pgTable('campaign_escrow', {
  campaignId: uuid('campaign_id')
    .primaryKey()
    .references(() => campaign.id, { onDelete: 'cascade' }),
  /** The terms as the contract packs them, in hex with 0x. The address commits to these bytes. */
  terms: text('terms').notNull(),
  /** When the code of factory, implementation and clone was proven. */
  codeProvenAt: moment('code_proven_at'),
  /** True if a failure of the escrow ended the campaign, and not its creator by a request. */
  endedCampaign: boolean('ended_campaign').notNull().default(false),
})

/**
 * An event of an escrow contract. Chain, transaction and position identify the event; a reorg may
 * move it to another block. `position` is the index of the event's log in the receipt.
 */
export const escrowEvent = pgTable(
  'escrow_event',
  {
    id: uuid('id').primaryKey(),
    chainId: int64('chain_id').notNull(),
    /** The contract that emitted the event. */
    account: hex('account').notNull(),
    campaignId: reference('campaign_id', () => campaign.id),
    txHash: hex('tx_hash').notNull(),
    position: integer('position').notNull(),
    kind: text('kind').$type<EscrowEventKind>().notNull(),
    fields: jsonb('fields').$type<EscrowFields[EscrowEventKind]>().notNull(),
    /** Block number, hash and time are null while no canonical block has the event. */
    blockNumber: int64('block_number'),
    blockHash: hex('block_hash'),
    minedAt: moment('mined_at'),
    /** Whether the campaign has opened. Until then, the event waits outside the index to settle. */
    counts: boolean('counts').notNull().default(false),
    /** When the event's effects were written. Null before its block is final. */
    settledAt: moment('settled_at'),
    /** How often the event's effects were reversed. Each settlement has its own generation. */
    generation: integer('generation').notNull().default(0),
  },
  (table) => [
    uniqueIndex('escrow_event_key').on(table.chainId, table.txHash, table.position),
    index('escrow_event_unsettled')
      .on(table.chainId, table.blockNumber)
      .where(sql`${table.settledAt} is null and ${table.counts}`),
    index('escrow_event_block').on(table.chainId, table.blockNumber),
    index('escrow_event_campaign').on(
      table.campaignId,
      table.kind,
      sql`(${table.fields} ->> 'donor')`,
    ),
    isOneOf('escrow_event_kind', table.kind, ESCROW_EVENT_KINDS),
    check(
      'escrow_event_settled',
      sql`${table.settledAt} is null or ${table.blockNumber} is not null`,
    ),
  ],
)

export type CampaignEscrow = typeof campaignEscrow.$inferSelect
/** A stored event. `kind` selects the type of `fields`. */
export type StoredEscrowEvent = Omit<typeof escrowEvent.$inferSelect, 'kind' | 'fields'> &
  EscrowEvent
