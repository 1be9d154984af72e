import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { type MoneyView, moneyOf } from '../../books/index.ts'
import { unknownCampaign } from './lock-campaign.ts'

/** At most this many earlier campaigns are listed. */
const MAX_EARLIER = 5

/** An ended campaign of the same creator. `verified` counts its verified milestones. */
type EarlierCampaign = Pick<Campaign, 'title' | 'status'> & {
  slug: string
  raised: MoneyView
  milestones: number
  verified: number
}

/** The creator of a campaign. Everything but the name is proven or recorded here. */
export type CreatorView = {
  /** The name that the campaign shows. This service does not check names. */
  name: string | null
  /** When the creator's account at this service was made. */
  since: Date
  /** The account of the campaign or, with an escrow, its recipient. It has an EIP-55 checksum. */
  account: string
  /** When a signature of the account showed that it is the creator's; null without a proof. */
  provenAt: Date | null
  /** Newest first. */
  earlier: EarlierCampaign[]
}

type Row = Pick<Campaign, 'creatorId' | 'chainId' | 'account'> &
  Pick<CreatorView, 'name' | 'since' | 'provenAt'> & { terms: string | null }

/**
 * Reads what is known of the creator of a campaign. The caller has checked that the campaign is
 * visible.
 *
 * @throws DomainError `not_found` if there is no such campaign
 */
export const readCreator = async (ctx: Context, campaignId: string): Promise<CreatorView> => {
  const [row] = await ctx.sql<Row[]>`
    select creator_id, chain_id, account, creator_name as name, app_user.created_at as since,
           account_proven_at as proven_at, escrow.terms
    from campaign
    join app_user on app_user.id = campaign.creator_id
    left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where campaign.id = ${campaignId}`
  if (!row) throw unknownCampaign()
  const { creatorId, chainId, account, name, since, provenAt, terms } = row
  const recipient = terms === null ? null : unpackTerms(terms).recipient
  // A wallet is linked by its signature. The address of an escrow itself has no owner.
  const [wallet] = await ctx.sql<{ createdAt: Date }[]>`
    select created_at from wallet
    where user_id = ${creatorId} and address = ${recipient} and holds_on(wallet, ${chainId})`
  return {
    name,
    since,
    account: toChecksumAddress(recipient ?? account),
    provenAt: recipient === null ? provenAt : (wallet?.createdAt ?? null),
    earlier: await listEarlier(ctx, { creatorId, campaignId }),
  }
}

const listEarlier = async (
  ctx: Context,
  { creatorId, campaignId }: { creatorId: string; campaignId: string },
): Promise<EarlierCampaign[]> => {
  const rows = await ctx.sql<
    (Omit<EarlierCampaign, 'raised'> & { currencyId: string; raised: string })[]
  >`
    select campaign.title, coalesce(slug, campaign.id::text) as slug, campaign.status, currency_id, raised,
           count(milestone.id)::int as milestones,
           (count(*) filter (where milestone.status in ('verified', 'released')))::int as verified
    from campaign
    join campaign_total total on total.campaign_id = campaign.id
    left join milestone on milestone.campaign_id = campaign.id
    where creator_id = ${creatorId} and campaign.id <> ${campaignId} and not never_opened
      and campaign.status in ('completed', 'failed', 'cancelled')
    group by campaign.id, total.campaign_id
    order by campaign.created_at desc, campaign.id desc
    limit ${MAX_EARLIER}`
  return rows.map(({ currencyId, raised, ...row }) => ({
    ...row,
    raised: moneyOf(ctx, currencyId, raised),
  }))
}
