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
import type { PriceSource } from '../../kernel/money/prices.ts'
import { DONATION_STATUSES, type DonationStatus } from '../../kernel/statuses.ts'
import {
  hasBytes,
  hex,
  int64,
  isOneOf,
  moment,
  reference,
  textReference,
  units,
} from '../columns.ts'
import { asset, campaign } from './campaigns.ts'
import { chainTransfer } from './chains.ts'
import { appUser } from './users.ts'

/** A donor's statement that a transaction pays a campaign, and the state of this payment. */
export const donation = pgTable(
  'donation',
  {
    id: uuid('id').primaryKey(),
    /** Null for a guest's donation until an account claims it. */
    userId: uuid('user_id').references(() => appUser.id),
    campaignId: reference('campaign_id', () => campaign.id),
    type: text('type'),
    donorWallet: hex('donor_wallet'),
    /**
     * The name and message that the donor wants to show. Without both, the donor is anonymous.
     * Neither column has an index, because an index would slow down settling.
     */
    donorName: text('donor_name'),
    donorMessage: text('donor_message'),
    /** Whether the creator or an administrator has hidden the name and message of the donor. */
    donorHidden: boolean('donor_hidden').notNull().default(false),
    chainId: int64('chain_id').notNull(),
    /** Null for an intent until a transfer settles it. */
    txHash: hex('tx_hash'),
    /** True if recorded without a transaction. The donation waits for a transfer. */
    intent: boolean('intent').notNull().default(false),
    /** The transaction hash that the donor attached, which decides between equal intents. */
    attachedTxHash: hex('attached_tx_hash'),
    /** Whether the transfer that settled the intent came after `expiresAt`. */
    paidLate: boolean('paid_late').notNull().default(false),
    /** Signer and nonce of the claimed transaction. A replacement has the same signer and nonce. */
    txSender: hex('tx_sender'),
    txNonce: int64('tx_nonce'),
    /** The hash that the donor claimed, if `txHash` is now the hash of a replacing transaction. */
    originalTxHash: hex('original_tx_hash'),
    /** The transaction that replaced the claimed transaction and so made the donation fail. */
    replacedBy: hex('replaced_by'),
    /** The donor has proven to hold the paying wallet. No other donor can claim the transfer. */
    walletProven: boolean('wallet_proven').notNull().default(false),
    /** An address that the donor gave: either the sender or the recipient of the transfer. */
    ledgerAddress: hex('ledger_address').notNull(),
    /** The log index that the donor claimed; null if any transfer to the campaign may match. */
    claimedPosition: integer('claimed_position'),
    declaredAssetId: textReference('declared_asset_id', () => asset.id),
    declaredAmount: units('declared_amount').notNull(),
    status: text('status').$type<DonationStatus>().notNull().default('pending'),
    /** The reason for the status, for example why the donation failed. */
    reason: text('reason').notNull().default('waiting_for_transaction'),
    /** The canonical block with the transaction; null if no canonical block has the transaction. */
    blockNumber: int64('block_number'),
    transferId: uuid('transfer_id').references(() => chainTransfer.id),
    /** The transfer that paid the intent before a reorg. It pays the intent again if it returns. */
    lostTransferId: uuid('lost_transfer_id').references(() => chainTransfer.id),
    /**
     * The asset and the amount that arrived, as the block showed them. The asset is null if it is
     * the declared one. `creditedAmount` is in the campaign's currency.
     */
    confirmedAssetId: text('confirmed_asset_id').references(() => asset.id),
    confirmedAmount: units('confirmed_amount'),
    creditedAmount: units('credited_amount'),
    /** The part of `creditedAmount` that an escrow has paid back to the donor. */
    refundedAmount: units('refunded_amount'),
    price: text('price'),
    /** The prices from which `price` was computed; null if the configuration sets all of them. */
    priceSource: jsonb('price_source').$type<PriceSource[]>(),
    discrepancy: boolean('discrepancy').notNull().default(false),
    checks: integer('checks').notNull().default(0),
    nextCheckAt: moment('next_check_at'),
    expiresAt: moment('expires_at').notNull(),
    completedAt: moment('completed_at'),
    requestId: text('request_id'),
    traceParent: text('trace_parent'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    isOneOf('donation_status', table.status, DONATION_STATUSES),
    check(
      'donation_completed',
      sql`${table.status} not in ('completed','partly_refunded','refunded') or (${table.transferId} is not null and ${table.creditedAmount} is not null)`,
    ),
    check(
      'donation_refunded',
      sql`case when ${table.status} in ('partly_refunded','refunded') then coalesce(${table.refundedAmount}, 0) > 0 else ${table.refundedAmount} is null end`,
    ),
    hasBytes('donation_tx', table.txHash, 32),
    hasBytes('donation_ledger_address', table.ledgerAddress, 20),
    check(
      'donation_intent',
      sql`${table.txHash} is not null or (${table.intent} and ${table.donorWallet} is not null)`,
    ),
    // listIntents, expireEqual, hasRival and upsertTransfers: the open intents of a wallet.
    index('donation_open_intent')
      .on(table.chainId, table.donorWallet)
      .where(sql`${table.intent} and ${table.txHash} is null`),
    // A transaction pays a campaign once for each position. Failed donations and intents claim
    // nothing, so their own id makes them distinct. The key is a hash of these columns, which takes
    // a third of their space.
    uniqueIndex('donation_claim').on(
      sql`claim_key(${table.chainId}, ${table.txHash}, ${table.campaignId}, ${table.claimedPosition}, case when ${table.status} = 'failed' or ${table.intent} then ${table.id} end)`,
    ),
    // matchOnce, claimHeld, listFree and other statements: the donations that claim a transaction.
    // They write `chain_id + 0`, so that the planner never chooses an index of all of a chain.
    index('donation_tx_hash').using('hash', table.txHash),
    // The next two indexes serve the limits of donations per user. Both indexes are small.
    index('donation_unseen')
      .on(table.userId)
      .where(
        sql`${table.status} = 'pending' and ${table.checks} > 0 and ${table.reason} = 'waiting_for_transaction'`,
      ),
    index('donation_unpaid')
      .on(table.userId)
      .where(sql`${table.intent} and ${table.status} = 'pending'`),
    // claimHeld and recordAsGuest: the donations of a wallet that no account has claimed.
    index('donation_guest').on(table.donorWallet).where(sql`${table.userId} is null`),
    // restoreTransactions and watchedAccounts: replaced transactions that are in a block after all.
    index('donation_original_tx_hash')
      .on(table.originalTxHash)
      .where(sql`${table.originalTxHash} is not null`),
    // A transfer pays at most one donation. Joins from a transfer to its donation use the index.
    uniqueIndex('donation_transfer')
      .on(table.transferId)
      .where(sql`${table.transferId} is not null`),
    // revertDonations: the donations above a block.
    index('donation_block')
      .on(table.chainId, table.blockNumber)
      .where(sql`${table.blockNumber} is not null`),
    // settleDonations and listNeededPrices: the donations in final blocks.
    index('donation_unsettled')
      .on(table.chainId, table.blockNumber)
      .where(sql`${table.status} = 'confirming'`),
    // matchStoredTransfers and look-ups: the donations whose next check is due.
    index('donation_due')
      .on(table.chainId, table.nextCheckAt)
      .where(sql`${table.nextCheckAt} is not null`),
    // listDonations without a campaign or a user.
    index('donation_newest').on(table.createdAt, table.id),
    // listDonations of a campaign. What blocks hold, and the rest, have an index each, because
    // anyone can record any number of donations that are never paid. A donation is in one of them.
    index('donation_paid')
      .on(table.campaignId, table.createdAt, table.id)
      .where(sql`${table.transferId} is not null or ${table.status} = 'reversed'`),
    index('donation_not_paid')
      .on(table.campaignId, table.createdAt, table.id)
      .where(sql`${table.transferId} is null and ${table.status} <> 'reversed'`),
    // listDonations of a user, and listOwnHistory.
    index('donation_user').on(table.userId, table.createdAt, table.id),
    // For lists of the few donations that are not `completed`. `pending` is left out, because with
    // old statistics the planner used this index for each transaction of a block, and settling took
    // five times as long.
    index('donation_not_completed')
      .on(table.status, table.createdAt, table.id)
      .where(sql`${table.status} in ('failed','expired','reversed','partly_refunded','refunded')`),
  ],
)

/** A link that moves a guest's donation to a user's account, once. Only its SHA-256 is stored. */
export const claimLink = pgTable(
  'claim_link',
  {
    tokenHash: text('token_hash').primaryKey(),
    donationId: uuid('donation_id')
      .notNull()
      .unique('claim_link_donation')
      .references(() => donation.id),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('claim_link_expiry').on(table.expiresAt)],
)

/**
 * The proof with which a donor checks a donation without this service. Sealing the credit creates
 * the row. A job fills in `proof` later. A reorg of the block makes `proof` null again.
 */
export const donationProof = pgTable(
  'donation_proof',
  {
    donationId: uuid('donation_id')
      .primaryKey()
      .references(() => donation.id),
    transferId: reference('transfer_id', () => chainTransfer.id),
    chainId: int64('chain_id').notNull(),
    blockHash: hex('block_hash').notNull(),
    version: integer('version').notNull(),
    /** Block header and Merkle proofs, as `packJson` makes them. */
    proof: hex('proof'),
    /** The payer that `proof` proves. Null without a proof, or if it proves none. */
    sender: hex('sender'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: moment('next_try_at').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    // claimProofs: the proofs to fetch.
    index('donation_proof_due')
      .on(table.chainId, table.nextTryAt)
      .where(sql`${table.proof} is null`),
  ],
)

export type Donation = typeof donation.$inferSelect
export type ClaimLink = typeof claimLink.$inferSelect
export type DonationProof = typeof donationProof.$inferSelect
