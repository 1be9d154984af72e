import type { Queryable } from '../../db/client.ts'
import { type Arrived, arrivedOfDonation } from '../ledger/index.ts'
import type { PriceSource } from '../price/index.ts'

/** A donation as stored, with where its chain stands. */
export type DonationRow = {
  id: string
  user_id: string | null
  campaign_id: string
  type: string | null
  donor_wallet: string | null
  donor_name: string | null
  donor_message: string | null
  donor_hidden: boolean
  chain_id: number
  /** Null for an intent that no transfer has settled. */
  tx_hash: string | null
  original_tx_hash: string | null
  replaced_by: string | null
  intent: boolean
  attached_tx_hash: string | null
  paid_late: boolean
  ledger_address: string
  claimed_position: number | null
  declared_asset_id: string
  declared_amount: string
  status: 'pending' | 'confirming' | 'completed' | 'failed' | 'expired' | 'reversed'
  reason: string
  block_number: number | null
  transfer_id: string | null
  /** Of that transfer; absent for a row that was just inserted. */
  transfer_position?: number | null
  /** The transfer as a block shows it. */
  confirmed_asset_id: string | null
  confirmed_amount: string | null
  credited_amount: string | null
  discrepancy: boolean
  price: string | null
  price_source: PriceSource[] | null
  next_check_at: Date | null
  expires_at: Date
  completed_at: Date | null
  created_at: Date
  /** The newest credit; absent for a row that was just inserted, which has none. */
  arrived?: Arrived | null
  /** Of the campaign and the chain; absent where they were not joined. */
  creator_id?: string
  currency_id?: string
  campaign_account?: string
  head_number?: number | null
  finalized_number?: number | null
}

/** The one SELECT behind every read of donations; the caller adds `where` and `order by`. */
export const selectDonation = (sql: Queryable) => sql`
  select donation.*, campaign.creator_id, campaign.currency_id,
         campaign.account as campaign_account, transfer.position as transfer_position,
         ${arrivedOfDonation(sql)},
         chain_state.head_number, chain_state.finalized_number
  from donation
  join campaign on campaign.id = donation.campaign_id
  left join chain_transfer transfer on transfer.id = donation.transfer_id
  left join chain_state on chain_state.chain_id = donation.chain_id`
