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
import type { FeedPrice } from '../../kernel/money/prices.ts'
import { moment, textReference, units } from '../columns.ts'
import { asset } from './campaigns.ts'

/** The position of a chain's indexer. Its row lock orders all changes of the chain to money. */
export const chainState = pgTable('chain_state', {
  chainId: bigint('chain_id', { mode: 'number' }).primaryKey(),
  cursorNumber: bigint('cursor_number', { mode: 'number' }).notNull(),
  cursorHash: text('cursor_hash').notNull(),
  headNumber: bigint('head_number', { mode: 'number' }).notNull(),
  finalizedNumber: bigint('finalized_number', { mode: 'number' }).notNull(),
  leaseOwner: text('lease_owner'),
  leaseUntil: moment('lease_until'),
  /** Final transfers up to here are in the ledger, as donations or as deposits. */
  bookedNumber: bigint('booked_number', { mode: 'number' }).notNull().default(0),
  /** The time of the last change of finality, for an alarm if it stops. */
  finalizedMovedAt: moment('finalized_moved_at'),
  /** Since when the nodes' final block is not in our chain. Nothing is settled meanwhile. */
  haltedAt: moment('halted_at'),
  problem: text('problem'),
  /** The time of the worker's last progress, by the database's clock. */
  updatedAt: moment('updated_at').notNull(),
})

/** The canonical blocks that are read, of the newest part of the chain only. */
export const chainBlock = pgTable(
  'chain_block',
  {
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
    parentHash: text('parent_hash').notNull(),
    minedAt: moment('mined_at').notNull(),
  },
  (table) => [primaryKey({ name: 'chain_block_pk', columns: [table.chainId, table.number] })],
)

/**
 * A transfer to a campaign's account, keyed by (chain, transaction, position, recipient). Its block
 * may change. The position is:
 * - the log's index within the receipt, for a token;
 * - -1, for the transaction's own value;
 * - -2 - k, for the k-th internal payment to the recipient in the transaction.
 */
export const chainTransfer = pgTable(
  'chain_transfer',
  {
    id: uuid('id').primaryKey(),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    txHash: text('tx_hash').notNull(),
    position: integer('position').notNull(),
    assetId: textReference('asset_id', () => asset.id),
    sender: text('sender').notNull(),
    recipient: text('recipient').notNull(),
    /** The amount that counts: what stayed with the recipient after the transaction. */
    amount: units('amount').notNull(),
    /** The evidence: `log`, `value` of the transaction, call `trace`, or a risen `balance`. */
    source: text('source').$type<'log' | 'value' | 'trace' | 'balance'>().notNull().default('log'),
    /** Null without a canonical block. */
    blockNumber: bigint('block_number', { mode: 'number' }),
    blockHash: text('block_hash'),
    minedAt: moment('mined_at'),
    /** The number of reversed credits, so that each credit has its own key in the ledger. */
    generation: integer('generation').notNull().default(0),
    /** The time to notify a deposit's creator, unless a donation claims it first. */
    announceAt: moment('announce_at'),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    uniqueIndex('chain_transfer_key').on(
      table.chainId,
      table.txHash,
      table.position,
      table.recipient,
    ),
    index('chain_transfer_recipient').on(table.chainId, table.recipient, table.minedAt, table.id),
    index('chain_transfer_sender').on(table.chainId, table.sender),
    check('chain_transfer_source', sql`${table.source} in ('log','value','trace','balance')`),
    index('chain_transfer_block').on(table.chainId, table.blockNumber),
    index('chain_transfer_announce')
      .on(table.announceAt)
      .where(sql`${table.announceAt} is not null`),
    check('chain_transfer_amount', sql`${table.amount} > 0`),
  ],
)

/** A price of an on-chain feed at a block, for the conversion of that block's donations. */
export const chainPrice = pgTable(
  'chain_price',
  {
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    /** For example `ETH/USD`: one whole ETH is `price` USD. */
    pair: text('pair').notNull(),
    blockHash: text('block_hash').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** Decimal text. */
    price: text('price').notNull(),
    feed: text('feed').notNull(),
    roundId: text('round_id').notNull(),
    answer: text('answer').notNull(),
    decimals: integer('decimals').notNull(),
    /** The time of the feed's round, by the feed's own clock. */
    feedUpdatedAt: moment('feed_updated_at').notNull(),
    /** `block`: read at the block. Otherwise found among the feed's rounds by time. */
    method: text('method').$type<FeedPrice['method']>().notNull().default('block'),
    readAt: moment('read_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'chain_price_pk', columns: [table.chainId, table.pair, table.blockHash] }),
    index('chain_price_block').on(table.chainId, table.blockNumber),
    check('chain_price_method', sql`${table.method} in ('block','round')`),
  ],
)

export type ChainState = typeof chainState.$inferSelect
export type ChainTransfer = typeof chainTransfer.$inferSelect
/** A transfer that a canonical block holds. */
export type MinedTransfer = ChainTransfer & {
  blockNumber: number
  blockHash: string
  minedAt: Date
}
export type ChainPrice = typeof chainPrice.$inferSelect
