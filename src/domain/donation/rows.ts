import type { Queryable } from '../../db/client.ts'

/** A donation as stored, with where its chain stands. */
export type DonationRow = {
  id: string
  user_id: string
  campaign_id: string
  type: string | null
  donor_wallet: string | null
  chain_id: number
  tx_hash: string
  ledger_address: string
  claimed_position: number | null
  declared_asset_id: string
  declared_amount: string
  status: 'pending' | 'confirming' | 'completed' | 'failed' | 'expired' | 'reversed'
  reason: string
  block_number: number | null
  transfer_id: string | null
  confirmed_asset_id: string | null
  confirmed_amount: string | null
  credited_amount: string | null
  discrepancy: boolean
  next_check_at: Date | null
  completed_at: Date | null
  created_at: Date
  /** Of the campaign and the chain; absent where they were not joined. */
  creator_id?: string
  currency_id?: string
  head_number?: number | null
  finalized_number?: number | null
}

/** The one SELECT behind every read of donations; the caller adds `where` and `order by`. */
export const selectDonation = (sql: Queryable) => sql`
  select donation.*, campaign.creator_id, campaign.currency_id,
         chain_state.head_number, chain_state.finalized_number
  from donation
  join campaign on campaign.id = donation.campaign_id
  left join chain_state on chain_state.chain_id = donation.chain_id`
