import type { NewEvent } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { moneyOf } from './money-of.ts'

type CampaignRow = {
  id: string
  creatorId: string
  currencyId: string
  targetAmount: string
  raised: string
}

type MilestoneRow = CampaignRow & {
  milestoneId: string
  title: string | null
  amount: string
  position: number
}

/**
 * Marks all milestones and targets that the raised totals now reach, and returns an event for each.
 * A rejected milestone stays rejected, because the verifier decided that.
 */
export const crossThresholds = async (
  ctx: Context,
  campaignIds: readonly string[],
): Promise<NewEvent[]> => {
  const now = ctx.clock.now()
  const ids = campaignIds as string[]
  const milestones = await ctx.sql<MilestoneRow[]>`
    update milestone
    set status = case milestone.status when 'pending' then 'reached' else milestone.status end,
        reached_at = ${now}
    from campaign join campaign_total total on total.campaign_id = campaign.id
    where milestone.campaign_id = campaign.id and campaign.id = any(${ids}::uuid[])
      and milestone.status in ('pending', 'rejected') and milestone.reached_at is null
      and milestone.cumulative <= total.raised
    returning campaign.id, campaign.creator_id, campaign.currency_id, campaign.target_amount,
              total.raised, milestone.id as milestone_id, milestone.title, milestone.amount,
              milestone.position`
  const funded = await ctx.sql<CampaignRow[]>`
    update campaign set status = 'funded', funded_at = ${now}, updated_at = ${now}
    from campaign_total total
    where total.campaign_id = campaign.id and campaign.id = any(${ids}::uuid[])
      and campaign.status = 'active' and total.raised >= campaign.target_amount
    returning campaign.id, campaign.creator_id, campaign.currency_id, campaign.target_amount,
              total.raised`
  return [
    ...[...milestones]
      .sort((a, b) => a.position - b.position)
      .map((row) => milestoneReached(ctx, row, now)),
    ...funded.map((row) => campaignFunded(ctx, row, now)),
  ]
}

/** Reverts milestones and targets that the totals miss now. A verified milestone stays. */
export const revertThresholds = async (
  ctx: Context,
  campaignIds: readonly string[],
): Promise<NewEvent[]> => {
  const now = ctx.clock.now()
  const ids = campaignIds as string[]
  const milestones = await ctx.sql<MilestoneRow[]>`
    update milestone
    set status = case milestone.status when 'reached' then 'pending' else milestone.status end,
        reached_at = null
    from campaign join campaign_total total on total.campaign_id = campaign.id
    where milestone.campaign_id = campaign.id and campaign.id = any(${ids}::uuid[])
      and milestone.status in ('reached', 'rejected') and milestone.reached_at is not null
      and milestone.cumulative > total.raised
    returning campaign.id, campaign.creator_id, campaign.currency_id, campaign.target_amount,
              total.raised, milestone.id as milestone_id, milestone.title, milestone.amount,
              milestone.position`
  const unfunded = await ctx.sql<CampaignRow[]>`
    update campaign set status = 'active', funded_at = null, updated_at = ${now}
    from campaign_total total
    where total.campaign_id = campaign.id and campaign.id = any(${ids}::uuid[])
      and campaign.status = 'funded' and total.raised < campaign.target_amount
    returning campaign.id, campaign.creator_id, campaign.currency_id, campaign.target_amount,
              total.raised`
  return [
    ...unfunded.map((row) => thresholdReverted(ctx, row, null, row.targetAmount, now)),
    ...[...milestones]
      .sort((a, b) => b.position - a.position)
      .map((row) => thresholdReverted(ctx, row, row.milestoneId, row.amount, now)),
  ]
}

const milestoneReached = (ctx: Context, row: MilestoneRow, now: Date): NewEvent => ({
  type: 'campaign.milestone.reached',
  campaignId: row.id,
  audience: [row.creatorId],
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
  campaignId: row.id,
  audience: [row.creatorId],
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
  campaignId: row.id,
  audience: [row.creatorId],
  data: {
    campaignId: row.id,
    milestoneId,
    threshold: milestoneId === null ? 'target' : 'milestone',
    amount: moneyOf(ctx, row.currencyId, amount),
    currentAmount: moneyOf(ctx, row.currencyId, row.raised),
    revertedAt: now.toISOString(),
  },
})
