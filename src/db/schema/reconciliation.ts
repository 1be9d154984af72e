import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment, unitsSum } from '../columns.ts'
import { asset, campaign } from './campaigns.ts'

/** One comparison of a range of a chain with the ledger: resumable at `nextBlock`. */
export const reconciliationRun = pgTable(
  'reconciliation_run',
  {
    id: uuid('id').primaryKey(),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    /** `job` for the background's own, `command` for one that an operator asked for. */
    origin: text('origin').notNull(),
    fromBlock: bigint('from_block', { mode: 'number' }).notNull(),
    toBlock: bigint('to_block', { mode: 'number' }).notNull(),
    nextBlock: bigint('next_block', { mode: 'number' }).notNull(),
    /** Of the last block compared, so that a changed chain is noticed. */
    lastHash: text('last_hash'),
    status: text('status').notNull(),
    transfers: bigint('transfers', { mode: 'number' }).notNull().default(0),
    recovered: bigint('recovered', { mode: 'number' }).notNull().default(0),
    differences: bigint('differences', { mode: 'number' }).notNull().default(0),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    check('reconciliation_run_status', sql`${table.status} in ('running','finished','failed')`),
    index('reconciliation_run_chain').on(table.chainId, table.startedAt),
  ],
)

/** The balance of a campaign's account when it was last found equal to what the chain and ledger say. */
export const accountBalance = pgTable(
  'account_balance',
  {
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    account: text('account').notNull(),
    assetId: text('asset_id')
      .notNull()
      .references(() => asset.id),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    blockHash: text('block_hash').notNull(),
    balance: unitsSum('balance').notNull(),
    /** Of the account, for native: a nonce that moved says that it paid out itself. */
    nonce: bigint('nonce', { mode: 'number' }),
    checkedAt: moment('checked_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'account_balance_pk',
      columns: [table.chainId, table.account, table.assetId],
    }),
  ],
)

/** What does not add up, and until when. Amounts are base units of the asset. */
export const ledgerDifference = pgTable(
  'ledger_difference',
  {
    id: uuid('id').primaryKey(),
    /** One of DIFFERENCE_KINDS. `expected` is what the ledger says, `actual` what was found instead. */
    kind: text('kind').notNull(),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    campaignId: uuid('campaign_id').references(() => campaign.id),
    account: text('account').notNull(),
    assetId: text('asset_id')
      .notNull()
      .references(() => asset.id),
    /** The block that it was bisected to, or the last of the range that was compared. */
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** Lower than `blockNumber` where no node had the states between: it happened in one of these. */
    firstBlock: bigint('first_block', { mode: 'number' }).notNull(),
    blockHash: text('block_hash'),
    txHash: text('tx_hash'),
    expected: unitsSum('expected').notNull(),
    actual: unitsSum('actual').notNull(),
    note: text('note').notNull(),
    runId: uuid('run_id').references(() => reconciliationRun.id),
    openedAt: moment('opened_at').notNull(),
    resolvedAt: moment('resolved_at'),
    resolution: text('resolution'),
  },
  (table) => [
    uniqueIndex('ledger_difference_open')
      .on(
        table.kind,
        table.chainId,
        table.account,
        table.assetId,
        table.blockNumber,
        sql`coalesce(${table.txHash}, '')`,
        sql`coalesce(${table.campaignId}::text, '')`,
      )
      .where(sql`${table.resolvedAt} is null`),
    index('ledger_difference_newest').on(table.openedAt, table.id),
    index('ledger_difference_campaign').on(table.campaignId),
  ],
)
