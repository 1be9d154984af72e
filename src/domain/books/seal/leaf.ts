import type { Queryable } from '../../../db/client.ts'
import type { ChainTransfer } from '../../../db/schema/chains.ts'
import type { LedgerEntry } from '../../../db/schema/ledger.ts'
import type { SealedLeaf } from '../../../verifier/index.ts'

/** A ledger entry with all values that are hashed into its Merkle leaf. */
export type LeafRow = Omit<
  LedgerEntry,
  'debitAccount' | 'creditAccount' | 'transferId' | 'escrowEventId'
> & {
  debit: string
  credit: string
} & { [K in 'chainId' | 'txHash' | 'position' | 'recipient']: ChainTransfer[K] | null }

/** SQL for the columns of a {@link LeafRow}, from the tables of {@link leafTables}. */
export const leafColumns = (sql: Queryable) => sql`
  entry.id, entry.kind, debit.kind as debit, credit.kind as credit, entry.campaign_id,
  entry.asset_id, entry.amount, entry.donation_id, transfer.chain_id, transfer.tx_hash,
  transfer.position, transfer.recipient, entry.generation, entry.block_number, entry.block_hash,
  entry.milestone_id, entry.reverses, entry.created_at`

/** SQL that joins the tables of a leaf's values to a ledger entry table named `entry`. */
export const leafTables = (sql: Queryable) => sql`
  left join ledger_account debit on debit.id = entry.debit_account
  left join ledger_account credit on credit.id = entry.credit_account
  left join chain_transfer transfer on transfer.id = entry.transfer_id`

export const toLeaf = (row: LeafRow): SealedLeaf => ({
  id: row.id,
  kind: row.kind,
  debit: row.debit,
  credit: row.credit,
  campaignId: row.campaignId,
  asset: row.assetId,
  amount: row.amount,
  donationId: row.donationId,
  transfer:
    row.chainId === null || row.txHash === null || row.position === null || row.recipient === null
      ? null
      : {
          chainId: row.chainId,
          txHash: row.txHash,
          position: row.position,
          recipient: row.recipient,
        },
  generation: row.generation,
  block:
    row.blockNumber === null || row.blockHash === null
      ? null
      : { number: row.blockNumber, hash: row.blockHash },
  milestoneId: row.milestoneId,
  reverses: row.reverses,
  createdAt: row.createdAt.toISOString(),
})
