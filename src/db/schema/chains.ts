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
import { moment, units } from '../columns.ts'
import { asset } from './campaigns.ts'

/** Where the follower of a chain stands. Its row lock orders everything that chain does to money. */
export const chainState = pgTable('chain_state', {
  chainId: bigint('chain_id', { mode: 'number' }).primaryKey(),
  cursorNumber: bigint('cursor_number', { mode: 'number' }).notNull(),
  cursorHash: text('cursor_hash').notNull(),
  headNumber: bigint('head_number', { mode: 'number' }).notNull(),
  finalizedNumber: bigint('finalized_number', { mode: 'number' }).notNull(),
  leaseOwner: text('lease_owner'),
  leaseUntil: moment('lease_until'),
  /** Final transfers up to here stand in the ledger, claimed or as deposits. */
  bookedNumber: bigint('booked_number', { mode: 'number' }).notNull().default(0),
  /** When finality last moved: a tag that stands still is an alarm. */
  finalizedMovedAt: moment('finalized_moved_at'),
  /** Since when a final block that the nodes agree on is not ours: nothing is settled meanwhile. */
  haltedAt: moment('halted_at'),
  problem: text('problem'),
  /** When the worker that follows the chain last got on, by the database's clock. */
  updatedAt: moment('updated_at').notNull(),
})

/** The canonical blocks that we have read, newest part of the chain only. */
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
 * A transfer to a campaign's account. Its key is (chain, transaction, position, recipient), where the
 * position is that of the log within its receipt, -1 for the transaction's own value, and -2 - k for
 * the k-th native payment to that recipient by calls within the transaction; the block that holds it
 * may change.
 */
export const chainTransfer = pgTable(
  'chain_transfer',
  {
    id: uuid('id').primaryKey(),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    txHash: text('tx_hash').notNull(),
    position: integer('position').notNull(),
    assetId: text('asset_id')
      .notNull()
      .references(() => asset.id),
    sender: text('sender').notNull(),
    recipient: text('recipient').notNull(),
    /** What counts of it: the rest left the recipient in the same transaction. */
    amount: units('amount').notNull(),
    /** What showed it: a log, the transaction's value, a call trace, or a balance that rose. */
    source: text('source').notNull().default('log'),
    /** Null while no canonical block holds it. */
    blockNumber: bigint('block_number', { mode: 'number' }),
    blockHash: text('block_hash'),
    minedAt: moment('mined_at'),
    /** Counts how often a credit of it was taken back, so that each credit has its own ledger key. */
    generation: integer('generation').notNull().default(0),
    /** When a deposit's creator is to be told of it, unless somebody claims it first. */
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

/** A price that an on-chain feed gave at a block: what donations of that block are converted at. */
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
    /** When the feed's round was written, by the feed's own clock. */
    feedUpdatedAt: moment('feed_updated_at').notNull(),
    /** Read at the block itself, or found among the feed's rounds where no node had the block's state. */
    method: text('method').notNull().default('block'),
    readAt: moment('read_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'chain_price_pk', columns: [table.chainId, table.pair, table.blockHash] }),
    index('chain_price_block').on(table.chainId, table.blockNumber),
    check('chain_price_method', sql`${table.method} in ('block','round')`),
  ],
)
