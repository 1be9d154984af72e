import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { type Arrived, arrivedOfDonation, provenDonation } from '../../books/index.ts'
import { isClosed, isDeployed, newestBlockTime, recordedDonor } from '../../campaigns/index.ts'

/** A stored donation. Optional fields come from joins, and are missing in a newly inserted row. */
export type DonationRow = Donation & {
  transferPosition?: number | null
  /** The asset and the amount of the newest credit. */
  arrived?: Arrived | null
  /** The time of the block with the transfer. */
  minedAt?: Date | null
  /** Whether the donation has a proof to download. */
  isProven?: boolean
  creatorId?: string
  currencyId?: string
  campaignAccount?: string
  /** The packed terms of the campaign's escrow; null for a plain campaign. */
  escrowTerms?: string | null
  /** Whether stored blocks show the escrow's code; null for a plain campaign. */
  escrowDeployed?: boolean | null
  /** Whether the escrow records no more donors; null for a plain campaign. */
  escrowClosed?: boolean | null
  /** The time of the chain's newest stored block; null for a plain campaign. */
  newestBlockAt?: Date | null
  /** The account with the refund, if the escrow has recorded the donation's transfer. */
  recordedDonor?: string | null
  headNumber?: number | null
  finalizedNumber?: number | null
  claimedNumber?: number | null
}

/** The SELECT for every read of donations. The caller adds `where` and `order by`. */
export const selectDonation = (sql: Queryable) => sql`
  select donation.*, campaign.creator_id, campaign.currency_id,
         campaign.account as campaign_account, transfer.position as transfer_position,
         transfer.mined_at,
         ${arrivedOfDonation(sql)},
         ${provenDonation(sql)},
         escrow.terms as escrow_terms,
         case when escrow.terms is not null and transfer.id is not null
           then ${recordedDonor(sql)} end as recorded_donor,
         case when escrow.terms is not null and donation.intent
           then ${isDeployed(sql)} end as escrow_deployed,
         case when escrow.terms is not null and donation.intent
           then ${isClosed(sql)} end as escrow_closed,
         case when escrow.terms is not null and donation.intent
           then ${newestBlockTime(sql, sql`donation.chain_id`)} end as newest_block_at,
         chain_state.head_number, chain_state.finalized_number,
         chain_state.claimed_number
  from donation
  join campaign on campaign.id = donation.campaign_id
  left join campaign_escrow escrow on escrow.campaign_id = campaign.id
  left join chain_transfer transfer on transfer.id = donation.transfer_id
  left join chain_state on chain_state.chain_id = donation.chain_id`

/**
 * Reads a donation by its id.
 *
 * @throws DomainError `not_found` if there is no donation with this id
 */
export const requireDonation = async ({ sql }: Context, id: string): Promise<DonationRow> => {
  const [row] = await sql<DonationRow[]>`${selectDonation(sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  return row
}
