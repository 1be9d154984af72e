import { unpackTerms } from '../../../chain/escrow/terms.ts'
import type { Part } from '../../../db/client.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { Context } from '../../context.ts'
import { notify } from '../../notification/index.ts'
import { moneyOf } from '../../total/index.ts'
import { readEscrowState, rootInForce } from '../escrow-state.ts'
import { recordedDonor } from '../recorded-donor.ts'
import { type FollowedEvent, ofKind } from './due-events.ts'

type Proposal = Extract<FollowedEvent, { kind: 'RootProposed' }>

/** A user whose donations to a campaign have no refund yet. `amount` is their sum in base units. */
type Donor = Pick<Campaign, 'title' | 'currencyId'> & {
  userId: string
  campaignId: string
  /** The oldest of the donations. */
  donationId: string
  amount: string
}

/**
 * Notifies donors who can get a refund because of these events: recorded donors when the escrow has
 * failed, other donors when a root with their payment is proposed. Call it before the events are
 * marked as settled, and after their refunds are booked. One event notifies all donors at once.
 */
export const notifyDonors = async (
  ctx: Context,
  events: readonly FollowedEvent[],
): Promise<void> => {
  const failed = ofKind(events, 'Failed')
    .filter(({ fields }) => isWorthClaiming(BigInt(fields.pool), BigInt(fields.total)))
    .map(({ campaignId }) => campaignId)
  const isRecorded = ctx.sql`${recordedDonor(ctx.sql)} is not null`
  const recorded = failed.length === 0 ? [] : await readDonors(ctx, failed, isRecorded)
  await notify(
    ctx,
    recorded.map((donor) => ({
      ...aboutDonor(donor),
      type: 'refund_ready',
      values: valuesOf(ctx, donor),
    })),
  )
  for (const proposal of ofKind(events, 'RootProposed')) await notifyOfRoot(ctx, proposal)
}

/**
 * Whether donors get at least a hundredth of their donations. A stranger can pay dust to an escrow
 * that is done, and end it again, which must not promise refunds to all donors.
 */
const isWorthClaiming = (pool: bigint, total: bigint): boolean => pool * 100n >= total

/** Leaves out donors who can already claim by an earlier root. */
const notifyOfRoot = async (ctx: Context, proposal: Proposal): Promise<void> => {
  const { campaignId, fields, minedAt } = proposal
  const terms = unpackTerms(proposal.terms)
  const state = await readEscrowState(ctx, { campaignId, terms })
  if (!isWorthClaiming(state.pool ?? 0n, state.total ?? 1n)) return
  const before = rootInForce(state, Math.floor(minedAt.getTime() / 1_000))
  const blockOf = ({ index, root }: { index: number; root: string }) => ctx.sql`
    coalesce((
      select block_number from refund_root
      where campaign_id = ${campaignId} and index = ${index} and root = ${root}), -1)`
  const donors = await readDonors(
    ctx,
    [campaignId],
    ctx.sql`
      ${recordedDonor(ctx.sql)} is null and transfer.block_number <= ${blockOf(fields)}
      and ${before ? ctx.sql`transfer.block_number > ${blockOf(before)}` : ctx.sql`true`}`,
  )
  const from = `${new Date(fields.readyAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  await notify(
    ctx,
    donors.map((donor) => ({
      ...aboutDonor(donor),
      type: 'refund_signed',
      values: { ...valuesOf(ctx, donor), from },
    })),
  )
}

/** Reads the donors with an account. `condition` is about `transfer`, which paid the donation. */
const readDonors = (
  { sql }: Context,
  campaignIds: readonly string[],
  condition: Part,
): Promise<Donor[]> => sql<Donor[]>`
  select donation.user_id, campaign.id as campaign_id, campaign.title, campaign.currency_id,
         min(donation.id::text) as donation_id, sum(donation.credited_amount)::text as amount
  from campaign
  join donation on donation.campaign_id = campaign.id and donation.status = 'completed'
  join chain_transfer transfer on transfer.id = donation.transfer_id
  where campaign.id = any(${campaignIds as string[]}::uuid[]) and donation.user_id is not null
    and ${condition}
  group by campaign.id, donation.user_id`

const aboutDonor = ({ userId, campaignId, donationId }: Donor) => ({
  userId,
  data: { campaignId, donationId },
})

const valuesOf = (ctx: Context, { title, currencyId, amount }: Donor) => {
  const { value, currency } = moneyOf(ctx, currencyId, amount)
  return { amount: value, currency, campaign: title }
}
