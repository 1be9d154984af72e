import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { hex, int64, isOneOf, moment, textReference, unitsSum } from '../columns.ts'
import { asset, campaign } from './campaigns.ts'

/** A comparison of a range of blocks with the ledger. A stopped run continues at `nextBlock`. */
export const reconciliationRun = pgTable(
  'reconciliation_run',
  {
    id: uuid('id').primaryKey(),
    chainId: int64('chain_id').notNull(),
    /** `job`: the background job started the run. `command`: an operator started the run. */
    origin: text('origin').$type<'job' | 'command'>().notNull(),
    fromBlock: int64('from_block').notNull(),
    toBlock: int64('to_block').notNull(),
    nextBlock: int64('next_block').notNull(),
    /** The hash of the last compared block. If the chain now has another hash, a reorg happened. */
    lastHash: hex('last_hash'),
    /** `failed`: an operator's run that left out balances, because no node has them. */
    status: text('status').$type<'running' | 'finished' | 'failed'>().notNull(),
    transfers: int64('transfers').notNull().default(0),
    recovered: int64('recovered').notNull().default(0),
    differences: int64('differences').notNull().default(0),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    isOneOf('reconciliation_run_status', table.status, ['running', 'finished', 'failed']),
    index('reconciliation_run_chain').on(table.chainId, table.startedAt),
  ],
)

/** The newest balance of a campaign's account that was equal on the chain and in the ledger. */
export const accountBalance = pgTable(
  'account_balance',
  {
    chainId: int64('chain_id').notNull(),
    account: hex('account').notNull(),
    assetId: textReference('asset_id', () => asset.id),
    blockNumber: int64('block_number').notNull(),
    /** Empty after a reorg: then `balance` is of a removed block, above `blockNumber`. */
    blockHash: hex('block_hash').notNull(),
    balance: unitsSum('balance').notNull(),
    /** The account's nonce, which rises when the account sends. Null for a token. */
    nonce: int64('nonce'),
    checkedAt: moment('checked_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'account_balance_pk',
      columns: [table.chainId, table.account, table.assetId],
    }),
  ],
)

/** Differences between chain and ledger, open or resolved. Amounts are in base units. */
export const ledgerDifference = pgTable(
  'ledger_difference',
  {
    id: uuid('id').primaryKey(),
    /** One of DIFFERENCE_KINDS. The ledger has the amount `expected`, but `actual` was found. */
    kind: text('kind').notNull(),
    chainId: int64('chain_id').notNull(),
    campaignId: uuid('campaign_id').references(() => campaign.id),
    account: hex('account').notNull(),
    assetId: textReference('asset_id', () => asset.id),
    /** The last block that may have the difference. */
    blockNumber: int64('block_number').notNull(),
    /** The first block that may have the difference. `blockNumber` if the block is known. */
    firstBlock: int64('first_block').notNull(),
    blockHash: hex('block_hash'),
    txHash: hex('tx_hash'),
    expected: unitsSum('expected').notNull(),
    actual: unitsSum('actual').notNull(),
    note: text('note').notNull(),
    runId: uuid('run_id').references(() => reconciliationRun.id),
    openedAt: moment('opened_at').notNull(),
    resolvedAt: moment('resolved_at'),
    resolution: text('resolution'),
    /** An operator's statement about these facts: when, why, and as a signed JWS (RFC 7515). */
    acknowledgedAt: moment('acknowledged_at'),
    acknowledgement: text('acknowledgement'),
    acknowledgementJws: text('acknowledgement_jws'),
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
