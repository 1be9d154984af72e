import type { Queryable } from '../../db/client.ts'
import type { SealedLeaf } from '../../verifier/index.ts'

/** A ledger entry with all values that its leaf commits to. */
export type LeafRow = {
  id: number
  kind: string
  debit: string
  credit: string
  campaign_id: string
  asset_id: string
  amount: string
  donation_id: string | null
  chain_id: number | null
  tx_hash: string | null
  position: number | null
  recipient: string | null
  generation: number | null
  block_number: number | null
  block_hash: string | null
  milestone_id: string | null
  reverses: number | null
  created_at: Date
}

/** The columns of a {@link LeafRow}, over the tables of {@link leafTables}. */
export const leafColumns = (sql: Queryable) => sql`
  entry.id, entry.kind, debit.kind as debit, credit.kind as credit, entry.campaign_id,
  entry.asset_id, entry.amount, entry.donation_id, transfer.chain_id, transfer.tx_hash,
  transfer.position, transfer.recipient, entry.generation, entry.block_number, entry.block_hash,
  entry.milestone_id, entry.reverses, entry.created_at`

/** The joins for a leaf, after a table named `entry`. */
export const leafTables = (sql: Queryable) => sql`
  left join ledger_account debit on debit.id = entry.debit_account
  left join ledger_account credit on credit.id = entry.credit_account
  left join chain_transfer transfer on transfer.id = entry.transfer_id`

export const toLeaf = (row: LeafRow): SealedLeaf => ({
  id: row.id,
  kind: row.kind,
  debit: row.debit,
  credit: row.credit,
  campaignId: row.campaign_id,
  asset: row.asset_id,
  amount: row.amount,
  donationId: row.donation_id,
  transfer:
    row.chain_id === null || row.tx_hash === null || row.position === null || row.recipient === null
      ? null
      : {
          chainId: row.chain_id,
          txHash: row.tx_hash,
          position: row.position,
          recipient: row.recipient,
        },
  generation: row.generation,
  block:
    row.block_number === null || row.block_hash === null
      ? null
      : { number: row.block_number, hash: row.block_hash },
  milestoneId: row.milestone_id,
  reverses: row.reverses,
  createdAt: row.created_at.toISOString(),
})
