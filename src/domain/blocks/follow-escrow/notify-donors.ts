import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { moneyOf } from '../../books/index.ts'
import { recordedDonor } from '../../campaigns/index.ts'
import { notify } from '../../people/index.ts'
import { type FollowedEvent, ofKind } from './due-events.ts'

/** A user whose donations to a campaign have no refund yet. `amount` is their sum in base units. */
type Donor = Pick<Campaign, 'title' | 'currencyId'> & {
  userId: string
  campaignId: string
  /** The oldest of the donations. */
  donationId: string
  amount: string
}

/**
 * When an escrow has failed, notifies the donors that the contract recorded. Call it after refunds
 * of the same block are booked. Donors of plain transfers learn of a payment by the event of its
 * refund.
 */
export const notifyDonors = async (
  ctx: Context,
  events: readonly FollowedEvent[],
): Promise<void> => {
  const failed = ofKind(events, 'Failed')
    .filter(({ fields }) => isWorthClaiming(BigInt(fields.pool), BigInt(fields.total)))
    .map(({ campaignId }) => campaignId)
  const donors = failed.length === 0 ? [] : await readDonors(ctx, failed)
  await notify(
    ctx,
    donors.map(({ userId, campaignId, donationId, title, currencyId, amount }) => {
      const { value, currency } = moneyOf(ctx, currencyId, amount)
      return {
        userId,
        type: 'refund_ready' as const,
        data: { campaignId, donationId },
        values: { amount: value, currency, campaign: title },
      }
    }),
  )
}

/**
 * Whether donors get at least a hundredth of their donations. A stranger can pay a tiny amount to
 * an escrow that has paid everything out, and end the escrow again, and donors must not get a
 * notification of refunds then.
 */
const isWorthClaiming = (pool: bigint, total: bigint): boolean => pool * 100n >= total

/** Reads the recorded donors with an account. */
const readDonors = ({ sql }: Context, campaignIds: string[]): Promise<Donor[]> => sql<Donor[]>`
  select donation.user_id, campaign.id as campaign_id, campaign.title, campaign.currency_id,
         min(donation.id::text) as donation_id, sum(donation.credited_amount)::text as amount
  from campaign
  join donation on donation.campaign_id = campaign.id and donation.status = 'completed'
  join chain_transfer transfer on transfer.id = donation.transfer_id
  where campaign.id = any(${campaignIds}::uuid[]) and donation.user_id is not null
    and donation.transfer_id is not null
    and ${recordedDonor(sql)} is not null
  group by campaign.id, donation.user_id`
