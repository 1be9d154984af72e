import type { MilestoneStatus } from '../../kernel/statuses.ts'
import type { Context } from '../context.ts'

/** A milestone with the values that its verification depends on. Amounts are base units. */
export type MilestoneRow = {
  id: string
  campaignId: string
  campaignTitle: string
  campaignStatus: string
  creatorId: string
  chainId: number
  currencyId: string
  title: string | null
  description: string
  amount: bigint
  cumulative: bigint
  status: MilestoneStatus
  round: number
  verifiedAt: Date | null
  releasedAt: Date | null
}

type Row = {
  id: string
  campaignId: string
  campaignTitle: string
  campaignStatus: string
  creatorId: string
  chainId: number
  currencyId: string
  title: string | null
  description: string
  amount: string
  cumulative: string
  status: MilestoneStatus
  verificationRound: number
  verifiedAt: Date | null
  releasedAt: Date | null
}

/** Null if there is none. `lock` excludes other decisions and changes of the campaign. */
export const findMilestone = async (
  ctx: Context,
  id: string,
  { lock }: { lock: boolean },
): Promise<MilestoneRow | null> => {
  const [row] = await ctx.sql<Row[]>`
    select milestone.id, milestone.campaign_id, campaign.title as campaign_title,
           campaign.status as campaign_status, campaign.creator_id, campaign.chain_id,
           campaign.currency_id, milestone.title, milestone.description, milestone.amount,
           milestone.cumulative, milestone.status, milestone.verification_round,
           milestone.verified_at, milestone.released_at
    from milestone join campaign on campaign.id = milestone.campaign_id
    where milestone.id = ${id}
    ${lock ? ctx.sql`for update of milestone for share of campaign` : ctx.sql``}`
  return row ? toMilestone(row) : null
}

const toMilestone = (row: Row): MilestoneRow => ({
  id: row.id,
  campaignId: row.campaignId,
  campaignTitle: row.campaignTitle,
  campaignStatus: row.campaignStatus,
  creatorId: row.creatorId,
  chainId: row.chainId,
  currencyId: row.currencyId,
  title: row.title,
  description: row.description,
  amount: BigInt(row.amount),
  cumulative: BigInt(row.cumulative),
  status: row.status,
  round: row.verificationRound,
  verifiedAt: row.verifiedAt,
  releasedAt: row.releasedAt,
})

/**
 * Whether the campaign has raised enough for this milestone and still holds its amount: a reorg
 * after a later milestone's release can leave less.
 */
export const isCovered = async (ctx: Context, milestone: MilestoneRow): Promise<boolean> => {
  const [row] = await ctx.sql<{ raised: string; released: string }[]>`
    select total.raised,
           (select coalesce(sum(amount), 0) from milestone
            where campaign_id = total.campaign_id and status = 'released') as released
    from campaign_total total where total.campaign_id = ${milestone.campaignId}`
  if (!row) return false
  const raised = BigInt(row.raised)
  return raised >= milestone.cumulative && raised - BigInt(row.released) >= milestone.amount
}
