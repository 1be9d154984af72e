import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { FeedPrice } from '../../kernel/money/prices.ts'
import { hasBytes, hex, int64, isOneOf, moment, textReference, units } from '../columns.ts'
import { asset } from './campaigns.ts'

/** The progress of a chain's sync. A job that changes the chain's donations first locks the row. */
export const chainState = pgTable('chain_state', {
  chainId: int64('chain_id').primaryKey(),
  cursorNumber: int64('cursor_number').notNull(),
  cursorHash: hex('cursor_hash').notNull(),
  headNumber: int64('head_number').notNull(),
  finalizedNumber: int64('finalized_number').notNull(),
  /** The final block of the nodes; null if they alone decide, without the sync committee. */
  claimedNumber: int64('claimed_number'),
  leaseOwner: text('lease_owner'),
  leaseUntil: moment('lease_until'),
  /** The ledger has all final transfers up to this block, as donations or as deposits. */
  bookedNumber: int64('booked_number').notNull().default(0),
  /** When `finalizedNumber` last changed. If that time is too long ago, an alarm starts. */
  finalizedMovedAt: moment('finalized_moved_at'),
  /** Null unless the chain is halted: the nodes contradict final blocks, or all stored blocks. */
  haltedAt: moment('halted_at'),
  problem: text('problem'),
  /** The wrong settings of a worker, which it stores again every few seconds. */
  settingsProblem: text('settings_problem'),
  settingsProblemAt: moment('settings_problem_at'),
  /** The reason of a fault of each faulty node, by the name of the node. */
  nodeFaults: jsonb('node_faults').$type<Record<string, string>>().notNull().default({}),
  /** When the sync last made progress, by the clock of the database. */
  updatedAt: moment('updated_at').notNull(),
})

/** The newest canonical blocks that the sync has read. Older blocks are deleted. */
export const chainBlock = pgTable(
  'chain_block',
  {
    chainId: int64('chain_id').notNull(),
    number: int64('number').notNull(),
    hash: hex('hash').notNull(),
    parentHash: hex('parent_hash').notNull(),
    minedAt: moment('mined_at').notNull(),
  },
  (table) => [primaryKey({ name: 'chain_block_pk', columns: [table.chainId, table.number] })],
)

/**
 * The verified messages of a chain's sync committee, which stay for ever, because later no server
 * may have them. Each proves a final block.
 */
export const committeeMessage = pgTable(
  'committee_message',
  {
    chainId: int64('chain_id').notNull(),
    /** `bootstrap`: the first committee. `update`: the committee of the next period. */
    kind: text('kind').$type<'bootstrap' | 'update' | 'finality'>().notNull(),
    /** The period of an update, the slot of other messages. */
    position: int64('position').notNull(),
    /** The final block: its slot and root, and its number and hash in the chain. */
    slot: int64('slot').notNull(),
    root: hex('root').notNull(),
    blockNumber: int64('block_number').notNull(),
    blockHash: hex('block_hash').notNull(),
    /** The message as `packJson` makes it. */
    message: hex('message').notNull(),
    verifiedAt: moment('verified_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'committee_message_pk',
      columns: [table.chainId, table.kind, table.position],
    }),
    isOneOf('committee_message_kind', table.kind, ['bootstrap', 'update', 'finality']),
    // The newest proven block up to a number.
    index('committee_message_block').on(table.chainId, table.blockNumber),
    hasBytes('committee_message_root', table.root, 32),
  ],
)

/**
 * A transfer to a campaign's account. Chain, transaction, position and recipient identify a
 * transfer, because a reorg may move the transfer to another block. `position` is:
 * - for a token: the index of the transfer's log in the receipt;
 * - for the transaction's own value: -1;
 * - for internal payment k (from 0) of the transaction to the recipient: -2 - k.
 */
export const chainTransfer = pgTable(
  'chain_transfer',
  {
    id: uuid('id').primaryKey(),
    chainId: int64('chain_id').notNull(),
    txHash: hex('tx_hash').notNull(),
    position: integer('position').notNull(),
    assetId: textReference('asset_id', () => asset.id),
    sender: hex('sender').notNull(),
    recipient: hex('recipient').notNull(),
    /** The part of the transfer that the recipient still had at the end of the transaction. */
    amount: units('amount').notNull(),
    /** What shows the transfer: a log, the transaction's value, a trace, or a higher balance. */
    source: text('source').$type<'log' | 'value' | 'trace' | 'balance'>().notNull().default('log'),
    /** Block number, hash and time are null while no canonical block has the transfer. */
    blockNumber: int64('block_number'),
    blockHash: hex('block_hash'),
    minedAt: moment('mined_at'),
    /** How often a credit of this transfer was reversed. */
    generation: integer('generation').notNull().default(0),
    /** When the creator is notified of the transfer, unless a donation has claimed the transfer. */
    announceAt: moment('announce_at'),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    // The key is a hash of what identifies a transfer, which takes a third of the space.
    uniqueIndex('chain_transfer_key').on(
      sql`transfer_key(${table.chainId}, ${table.txHash}, ${table.position}, ${table.recipient})`,
    ),
    // matchOnce, takeable and other statements: the transfers of a transaction.
    index('chain_transfer_tx_hash').using('hash', table.txHash),
    // listDeposits and sums of an account.
    index('chain_transfer_recipient').on(table.chainId, table.recipient, table.minedAt, table.id),
    // checkDueIntents, listPayments and offered payments: the transfers of a wallet.
    index('chain_transfer_sender').on(table.chainId, table.sender),
    isOneOf('chain_transfer_source', table.source, ['log', 'value', 'trace', 'balance']),
    // bookDeposits and revertDonations: the transfers in a range of blocks.
    index('chain_transfer_block').on(table.chainId, table.blockNumber),
    // announceDeposits: the transfers to announce now.
    index('chain_transfer_announce')
      .on(table.announceAt)
      .where(sql`${table.announceAt} is not null`),
    check('chain_transfer_amount', sql`${table.amount} > 0`),
    hasBytes('chain_transfer_tx', table.txHash, 32),
    hasBytes('chain_transfer_to', table.recipient, 20),
  ],
)

/** The price of a pair at a block, from a price feed. Used for the donations in this block. */
export const chainPrice = pgTable(
  'chain_price',
  {
    chainId: int64('chain_id').notNull(),
    /** For example `ETH/USD`: one whole ETH is `price` USD. */
    pair: text('pair').notNull(),
    blockHash: hex('block_hash').notNull(),
    blockNumber: int64('block_number').notNull(),
    /** The price as decimal text, such as `2500.25`. */
    price: text('price').notNull(),
    feed: text('feed').notNull(),
    roundId: text('round_id').notNull(),
    answer: text('answer').notNull(),
    decimals: integer('decimals').notNull(),
    /** When the feed updated its price, by the clock of the feed. */
    feedUpdatedAt: moment('feed_updated_at').notNull(),
    /** `block`: the price in the state of the block. `round`: the last price before the block. */
    method: text('method').$type<FeedPrice['method']>().notNull().default('block'),
    readAt: moment('read_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'chain_price_pk', columns: [table.chainId, table.pair, table.blockHash] }),
    index('chain_price_block').on(table.chainId, table.blockNumber),
    isOneOf('chain_price_method', table.method, ['block', 'round']),
  ],
)

export type ChainState = typeof chainState.$inferSelect
export type CommitteeMessage = typeof committeeMessage.$inferSelect
export type ChainTransfer = typeof chainTransfer.$inferSelect
/** A transfer in a canonical block, so that block number, hash and time are not null. */
export type MinedTransfer = ChainTransfer & {
  blockNumber: number
  blockHash: string
  minedAt: Date
}
export type ChainPrice = typeof chainPrice.$inferSelect
