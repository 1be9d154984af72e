import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign, CampaignTotal, Milestone } from '../../../db/schema/campaigns.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { moneyOf } from './money-of.ts'

type CampaignRow = Pick<Campaign, 'id' | 'creatorId' | 'currencyId' | 'targetAmount'> &
  Pick<CampaignTotal, 'raised'>

type MilestoneRow = CampaignRow &
  Pick<Milestone, 'title' | 'amount' | 'position'> & { milestoneId: string }

const campaignColumns = (sql: Queryable): Part => sql`
  campaign.id, campaign.creator_id, campaign.currency_id, campaign.target_amount, total.raised`

const milestoneColumns = (sql: Queryable): Part => sql`
  ${campaignColumns(sql)}, milestone.id as milestone_id, milestone.title, milestone.amount,
  milestone.position`

/**
 * Marks all milestones and targets that the raised totals reach now, and returns one event for each
 * of them. A rejected milestone also gets an event, but its status stays `rejected`.
 */
export const crossThresholds = async (ctx: Context, campaignIds: string[]): Promise<NewEvent[]> => {
  const now = ctx.clock.now()
  const milestones = await ctx.sql<MilestoneRow[]>`
    update milestone
    set status = case milestone.status when 'pending' then 'reached' else milestone.status end,
        reached_at = ${now}
    from campaign join campaign_total total on total.campaign_id = campaign.id
    where milestone.campaign_id = campaign.id and campaign.id = any(${campaignIds}::uuid[])
      and milestone.status in ('pending', 'rejected') and milestone.reached_at is null
      and milestone.cumulative <= total.raised
    returning ${milestoneColumns(ctx.sql)}`
  const funded = await ctx.sql<CampaignRow[]>`
    update campaign set status = 'funded', funded_at = ${now}, updated_at = ${now}
    from campaign_total total
    where total.campaign_id = campaign.id and campaign.id = any(${campaignIds}::uuid[])
      and case when campaign.status = 'active' then total.raised >= campaign.target_amount end
    returning ${campaignColumns(ctx.sql)}`
  return [
    ...milestones
      .toSorted((a, b) => a.position - b.position)
      .map((row) => milestoneReached(ctx, row, now)),
    ...funded.map((row) => campaignFunded(ctx, row, now)),
  ]
}

/**
 * Resets milestones and targets that the totals miss now, also if an escrow has ended the campaign.
 * A released milestone stays released, and a completed campaign stays funded.
 */
export const revertThresholds = async (
  ctx: Context,
  campaignIds: string[],
): Promise<NewEvent[]> => {
  const now = ctx.clock.now()
  const milestones = await ctx.sql<MilestoneRow[]>`
    update milestone
    set status = case milestone.status when 'reached' then 'pending' else milestone.status end,
        reached_at = null
    from campaign join campaign_total total on total.campaign_id = campaign.id
    where milestone.campaign_id = campaign.id and campaign.id = any(${campaignIds}::uuid[])
      and milestone.status in ('reached', 'rejected') and milestone.reached_at is not null
      and milestone.cumulative > total.raised
    returning ${milestoneColumns(ctx.sql)}`
  const unfunded = await ctx.sql<CampaignRow[]>`
    update campaign
    set status = case campaign.status when 'funded' then 'active' else campaign.status end,
        funded_at = null, updated_at = ${now}
    from campaign_total total
    where total.campaign_id = campaign.id and campaign.id = any(${campaignIds}::uuid[])
      and campaign.status in ('funded', 'failed', 'cancelled') and campaign.funded_at is not null
      and total.raised < campaign.target_amount
    returning ${campaignColumns(ctx.sql)}`
  return [
    ...unfunded.map((row) => thresholdReverted(ctx, row, null, row.targetAmount, now)),
    ...milestones
      .toSorted((a, b) => b.position - a.position)
      .map((row) => thresholdReverted(ctx, row, row.milestoneId, row.amount, now)),
  ]
}

const milestoneReached = (ctx: Context, row: MilestoneRow, now: Date): NewEvent => ({
  type: 'campaign.milestone.reached',
  ...subjectOf(row),
  data: {
    campaignId: row.id,
    milestoneId: row.milestoneId,
    title: row.title,
    amount: moneyOf(ctx, row.currencyId, row.amount),
    currentAmount: moneyOf(ctx, row.currencyId, row.raised),
    reachedAt: now.toISOString(),
  },
})

const campaignFunded = (ctx: Context, row: CampaignRow, now: Date): NewEvent => ({
  type: 'campaign.funded',
  ...subjectOf(row),
  data: {
    campaignId: row.id,
    targetAmount: moneyOf(ctx, row.currencyId, row.targetAmount),
    currentAmount: moneyOf(ctx, row.currencyId, row.raised),
    fundedAt: now.toISOString(),
  },
})

const thresholdReverted = (
  ctx: Context,
  row: CampaignRow,
  milestoneId: string | null,
  amount: string,
  now: Date,
): NewEvent => ({
  type: 'campaign.threshold.reverted',
  ...subjectOf(row),
  data: {
    campaignId: row.id,
    milestoneId,
    threshold: milestoneId === null ? 'target' : 'milestone',
    amount: moneyOf(ctx, row.currencyId, amount),
    currentAmount: moneyOf(ctx, row.currencyId, row.raised),
    revertedAt: now.toISOString(),
  },
})

const subjectOf = ({ id, creatorId }: CampaignRow) => ({ campaignId: id, audience: [creatorId] })
