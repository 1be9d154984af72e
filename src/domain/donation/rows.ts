import type { Queryable } from '../../db/client.ts'
import type { PriceSource } from '../../kernel/prices.ts'
import { type Arrived, arrivedOfDonation } from '../ledger/index.ts'

/** A donation as stored, with where its chain stands. */
export type DonationRow = {
  id: string
  userId: string | null
  campaignId: string
  type: string | null
  donorWallet: string | null
  donorName: string | null
  donorMessage: string | null
  donorHidden: boolean
  chainId: number
  /** Null for an intent that no transfer has settled. */
  txHash: string | null
  originalTxHash: string | null
  replacedBy: string | null
  intent: boolean
  attachedTxHash: string | null
  paidLate: boolean
  ledgerAddress: string
  claimedPosition: number | null
  declaredAssetId: string
  declaredAmount: string
  status: 'pending' | 'confirming' | 'completed' | 'failed' | 'expired' | 'reversed'
  reason: string
  blockNumber: number | null
  transferId: string | null
  /** Of that transfer; absent for a row that was just inserted. */
  transferPosition?: number | null
  /** The transfer as a block shows it. */
  confirmedAssetId: string | null
  confirmedAmount: string | null
  creditedAmount: string | null
  discrepancy: boolean
  price: string | null
  priceSource: PriceSource[] | null
  nextCheckAt: Date | null
  expiresAt: Date
  completedAt: Date | null
  createdAt: Date
  /** The newest credit; absent for a row that was just inserted, which has none. */
  arrived?: Arrived | null
  /** Of the campaign and the chain; absent where they were not joined. */
  creatorId?: string
  currencyId?: string
  campaignAccount?: string
  headNumber?: number | null
  finalizedNumber?: number | null
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
